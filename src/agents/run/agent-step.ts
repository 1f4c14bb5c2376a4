import type { Pauses } from '../../activity/index.ts'
import { assert } from '../../assert/index.ts'
import type { Agent } from '../define/agent.ts'
import {
  FailedStep,
  compaction,
  estimateOf,
  fits,
  inAttempts,
  modelHistory,
  modelStep,
  sizeOf,
} from '../../step/index.ts'
import type { CompactionRequest, ModelStep } from '../../step/index.ts'
import { stableId } from '../../gate/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import type { Origin } from '../../log/index.ts'
import type { LanguageModel } from '../../models/index.ts'
import type { Program, ProgramAnswer, ProgramStep, ProposedEvent } from '../define/program.ts'
import { messagesOf } from '../scope/run-messages.ts'
import type { RunScope } from '../scope/scope.ts'
import { requireNotCancelled } from '../scope/stop-reason.ts'
import { jsonFormat, withOutput } from './output.ts'

export type AgentStep = ModelStep & Partial<Pick<ProgramStep, 'questions' | 'result'>>

export interface AgentStepRequest<State> {
  readonly scope: RunScope<State>
  /** Of the records of the model or program. */
  readonly origin: Origin
  readonly stepName: string
  /** For a program: the answers to the questions of the step before. */
  readonly answers: readonly ProgramAnswer[]
}

export function agentStep<State>(request: AgentStepRequest<State>): Promise<AgentStep> {
  const { turn, signal, agent } = request.scope
  const { program } = agent
  return inAttempts<AgentStep>(
    (attempt) =>
      program
        ? programStep(request, program, attempt)
        : callModelThatFits(request, modelOf(agent), attempt),
    { delayMs: turn.retryDelayMs, signal },
  )
}

/** Where the model's window is shorter than the history may be, the history is shortened once. */
async function callModelThatFits<State>(
  request: AgentStepRequest<State>,
  model: LanguageModel,
  attempt: number,
): Promise<ModelStep> {
  const { scope } = request
  const { historyChars } = scope.agent.limits
  try {
    return await callModel(request, model, { attempt, charsMax: historyChars })
  } catch (error) {
    if (!(error instanceof FailedStep) || error.failure.code !== 'context_exceeded') throw error
    const { turn } = scope
    const length = sizeOf(messagesOf(scope, await turn.gate.latest(turn.thread)))
    const charsMax = Math.min(historyChars, Math.floor(length / 2))
    return callModel(request, model, { attempt: attempt + 1, charsMax })
  }
}

function modelOf({ name, model }: Pick<Agent, 'name' | 'model'>): LanguageModel {
  assert(model, `Cannot ask "${name}": it has neither a model nor a program`)
  return model
}

async function callModel<State>(
  request: AgentStepRequest<State>,
  model: LanguageModel,
  { attempt, charsMax }: { readonly attempt: number; readonly charsMax: number },
): Promise<ModelStep> {
  const { scope, stepName } = request
  const { turn, agent, budget, signal } = scope
  const fitting = snapshotThatFits(request, model, charsMax)
  const snapshot = fitting instanceof Promise ? await fitting : fitting
  const offers = turn.offersOf(agent, scope.origin.depth)
  const context = { ...turn.caller, state: snapshot.state, thread: turn.thread }
  const system = withOutput(offers.instructions(context), offers.output)
  const prompt = offers.promptUnder(system, turn.sha256)
  const { limits, temperature, files, providerOptions } = agent
  const messages = modelHistory(messagesOf(scope, snapshot), {
    tools: offers.names,
    prompt,
    ...(files && { files }),
  })
  return modelStep({
    model,
    call: {
      system,
      messages,
      tools: offers.definitions,
      maxOutputTokens: limits.outputTokens,
      ...(offers.output && { responseFormat: jsonFormat(offers.output) }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(providerOptions && { providerOptions }),
      // A longer time is none: no timer waits for it.
      ...(limits.callMs < 2 ** 31 && { timeoutMs: limits.callMs }),
      signal,
    },
    toolTexts: [offers.text],
    stepName,
    prompt,
    origin: { ...request.origin, attempt },
    id: turn.id,
    append: turn.append,
    // Without event types there are no tags to remove, and in JSON there is no place for them.
    text: turn.gate.domain.events.size > 0 && !agent.output ? 'tags' : 'verbatim',
    foreignTags: snapshot.foreignTags,
    calls: turn.calls,
    prices: turn.prices,
    budget,
  })
}

/** The thread as it is now; old messages are summed up when they no longer fit a model call. */
function snapshotThatFits<State>(
  request: AgentStepRequest<State>,
  model: LanguageModel,
  charsMax: number,
): Snapshot<State> | Promise<Snapshot<State>> {
  const { turn } = request.scope
  const latest = turn.gate.latest(turn.thread)
  const shorten = (snapshot: Snapshot<State>) => {
    const messages = messagesOf(request.scope, snapshot)
    return fits(messages, charsMax) ? snapshot : shortened(request, model, { messages, charsMax })
  }
  return latest instanceof Promise ? latest.then(shorten) : shorten(latest)
}

async function shortened<State>(
  { scope, origin }: AgentStepRequest<State>,
  model: LanguageModel,
  { messages, charsMax }: Pick<CompactionRequest, 'messages' | 'charsMax'>,
): Promise<Snapshot<State>> {
  const { turn, agent, budget, signal } = scope
  const { outputTokens: maxOutputTokens } = agent.limits
  const call = { model, maxOutputTokens, prices: turn.prices }
  await compaction({
    ...call,
    messages,
    charsMax,
    origin,
    append: turn.append,
    reserve: (prompt) => {
      const reserved = estimateOf(call, prompt)
      return { reserved, ...budget.reserve(reserved) }
    },
    retryDelayMs: turn.retryDelayMs,
    signal,
  })
  return turn.gate.latest(turn.thread)
}

async function programStep<State>(
  { scope, origin, stepName, answers }: AgentStepRequest<State>,
  program: Program,
  attempt: number,
): Promise<ProgramStep> {
  const { turn, agent, budget, signal } = scope
  const { thread } = turn
  const { run, depth, surface = '' } = scope.origin
  const snapshot = await turn.gate.latest(thread)
  const offers = turn.offersOf(agent, depth)
  return program.step({
    thread,
    // A sub-agent remembers nothing of its runs before.
    conversation: stableId(thread, 'conversation', agent.name, depth > 0 ? run : surface),
    agent: agent.name,
    origin: { ...origin, run, agent: agent.name, attempt },
    stepName,
    instructions: offers.instructions({ ...turn.caller, state: snapshot.state, thread }),
    messages: messagesOf(scope, snapshot),
    tools: offers.definitions,
    toolNames: offers.names,
    waiting: waitingCalls(snapshot.pauses),
    answers,
    context: depth === 0 && program.source === 'remote' ? (turn.client.context ?? []) : [],
    page: depth === 0 ? (turn.client.page ?? {}) : {},
    state: snapshot.state,
    takenIds: () => idsIn(snapshot),
    propose: (events, by) => proposeNow(scope, events, by),
    historyChars: agent.limits.historyChars,
    resultChars: agent.limits.resultChars,
    id: turn.id,
    calls: turn.calls,
    append: turn.append,
    prices: turn.prices,
    budget,
    signal,
  })
}

function idsIn({ conversation }: Pick<Snapshot<unknown>, 'conversation'>): ReadonlySet<string> {
  const all = [conversation.messages, ...Object.values(conversation.nested)]
  return new Set(all.flatMap((messages) => messages.map(({ id }) => id)))
}

async function proposeNow<State>(
  { turn, origin, signal }: RunScope<State>,
  events: readonly ProposedEvent[],
  by: 'program' | 'person',
): Promise<State> {
  const { actor } = turn.caller
  const author =
    by === 'program'
      ? ({ source: 'model' } as const)
      : ({ source: 'ui', ...(actor !== undefined && { actor }) } as const)
  const proposals = events.map(({ type, data }) => ({
    id: turn.id(),
    type,
    data,
    origin: { ...origin, ...author },
  }))
  const { snapshot } = await turn.commit(proposals, {
    typed: turn.typed,
    check: ({ openRuns }) => {
      signal.throwIfAborted()
      requireNotCancelled(origin.run, openRuns)
    },
  })
  return snapshot.state
}

function waitingCalls({ waiting }: Pauses): ReadonlySet<string> {
  return new Set(waiting.flatMap(({ waits }) => waits.map(({ toolCallId }) => toolCallId)))
}
