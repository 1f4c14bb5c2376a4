import type { Agent } from '../define/agent.ts'
import type { NewEvent } from '../../log/index.ts'
import { AgentRun } from './agent-run.ts'
import { Budget } from '../../step/index.ts'
import { reachable } from '../define/reachable.ts'
import type { WaitAnswer } from '../scope/answers.ts'
import { handoffOpening, subagentStarted } from '../scope/run-records.ts'
import type { AskedAgent, ChainEnd, RunEnd, RunScope, TurnScope } from '../scope/scope.ts'

type RunPlace<State> = Pick<
  RunScope<State>,
  'agent' | 'origin' | 'within' | 'depthMax' | 'handoffsLeft' | 'parentToolCallId'
>

/**
 * Runs an agent, and each that it is handed over to, until one keeps the conversation. The first one
 * finishes the calls of an earlier turn that were decided.
 */
export async function runChain<State>(
  first: RunScope<State>,
  opening: readonly NewEvent[],
  decided: readonly WaitAnswer[] = [],
): Promise<ChainEnd<State>> {
  let end = await runOnce(first, opening, decided)
  while (end.status === 'handoff') end = await runOnce(end.next, [])
  return end
}

/** Makes the scope of a run, which can be stopped by its id from now on. */
export function runScope<State>(
  turn: TurnScope<State>,
  place: RunPlace<State>,
  resumes: readonly string[] = [],
): RunScope<State> {
  const { agent, origin, within, handoffsLeft } = place
  const { tokens, cost, depth, handoffs } = agent.limits
  return {
    ...place,
    turn,
    // The first run of a turn stops with it.
    signal: origin.run === turn.turn ? within.signal : turn.active.enter(origin.run, within.signal),
    budget: new Budget({
      owner: `the agent "${agent.name}"`,
      limits: { tokens, cost },
      within: within.budget,
    }),
    depthMax: Math.min(place.depthMax, origin.depth + depth),
    handoffsLeft: Math.min(handoffsLeft, handoffs),
    resumes,
  }
}

/** Asks a sub-agent, or resumes its run that stopped to ask, and waits for the result. */
export async function askAgent<State>(
  caller: RunScope<State>,
  asked: AskedAgent<State>,
): Promise<ChainEnd<State>> {
  const { turn, depthMax, signal, budget } = caller
  const suspended = turn.suspended.get(asked.call)
  const agent = suspended ? successorNamed(asked.agent, suspended.agent) : asked.agent
  const depth = caller.origin.depth + 1
  if (!agent) {
    return stopped(
      'unknown_agent',
      `Cannot go on with "${suspended?.agent}": no such agent any more`,
    )
  }
  if (depth > depthMax) {
    const why = `${depthMax} levels of sub-agents may be`
    return stopped('limit_depth', `Cannot call "${agent.name}": ${why}`)
  }
  const run = suspended?.run ?? turn.id()
  const place = {
    agent,
    origin: {
      ...caller.origin,
      agent: agent.name,
      path: [...(caller.origin.path ?? []), agent.name],
      depth,
      run,
      parentRun: caller.origin.run,
      call: asked.call,
    },
    within: { signal, budget },
    depthMax,
    handoffsLeft: Number.POSITIVE_INFINITY,
    parentToolCallId: asked.call,
  }
  const scope = runScope(turn, place, suspended ? turn.leftBy(run) : [])
  const started = suspended
    ? subagentStarted(scope, '', { continued: true })
    : subagentStarted(scope, asked.message)
  return runChain(scope, [started])
}

/** A run that stopped to ask may have been handed over before: it goes on with whom it was handed to. */
function successorNamed<State>(agent: Agent<State>, name: string): Agent<State> | undefined {
  return reachable([agent], (each) => each.handoffs()).find((each) => each.name === name)
}

async function runOnce<State>(
  scope: RunScope<State>,
  opening: readonly NewEvent[],
  decided: readonly WaitAnswer[] = [],
): Promise<RunEnd<State>> {
  try {
    return await new AgentRun(scope, handedOver).execute(opening, decided)
  } finally {
    scope.turn.active.leave(scope.origin.run)
  }
}

/** The same caller, the same depth, another agent. */
function handedOver<State>(
  scope: RunScope<State>,
  { agent: to, call, message }: AskedAgent<State>,
): { readonly next: RunScope<State>; readonly opening: readonly NewEvent[] } {
  const { turn, agent, origin, handoffsLeft } = scope
  const path = [...(origin.path ?? []).slice(0, -1), to.name]
  const next = runScope(turn, {
    ...scope,
    agent: to,
    origin: { ...origin, agent: to.name, path, run: turn.id(), call },
    handoffsLeft: handoffsLeft - 1,
  })
  return { next, opening: handoffOpening(next, { agent: agent.name, message }) }
}

function stopped(code: string, message: string): ChainEnd<never> {
  return { status: 'stopped', code, message }
}
