import { assert } from '../../assert/index.ts'
import { closeRun, endOpenRuns } from '../../activity/index.ts'
import type { GateProposal } from '../../gate/index.ts'
import type { ModelToolCall } from '../../models/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import type { NewEvent, Origin } from '../../log/index.ts'
import { LimitReached, customTagged, stepFinished } from '../../step/index.ts'
import { agentStep } from './agent-step.ts'
import type { AgentStep } from './agent-step.ts'
import type { ToolSchema } from '../define/sdk-schema.ts'
import type { ProgramAnswer, ProgramQuestion } from '../define/program.ts'
import { NO_ANSWERS, programAnswers } from '../tools/program-answers.ts'
import { Cancelled, openRunsFrom, requireNotCancelled, stopReasonOf } from '../scope/stop-reason.ts'
import type { WaitAnswer } from '../scope/answers.ts'
import type { StopReason } from '../scope/stop-reason.ts'
import { inCallOrder, messagesOf } from '../scope/run-messages.ts'
import { stopEnding, successEnding, waitEnding } from '../scope/run-records.ts'
import type { Clicks, HandOver, RunEnd, RunScope, TurnScope } from '../scope/scope.ts'
import { OUTPUT_ATTEMPTS_MAX, askedAgain, invalidOutput, readOutput } from './output.ts'
import { ToolCalls } from '../tools/tool-calls.ts'
import { withinEmits } from '../tools/within-emits.ts'

/** One execution of one agent: model, tools, model, until it has nothing more to ask for. */
export class AgentRun<State> {
  readonly #scope: RunScope<State>
  readonly #model: Origin
  readonly #handOver: HandOver<State>
  #steps = 0
  #toolCalls = 0
  #outputs = 0
  /** The agent's last text in this run. */
  #said = ''

  constructor(scope: RunScope<State>, handOver: HandOver<State>) {
    this.#scope = scope
    this.#handOver = handOver
    this.#model = { ...scope.origin, source: scope.agent.program?.source ?? 'model' }
  }

  /**
   * Resolves once the run's end is on record; a failed model call or a limit is an end, not an error. The
   * opening is empty when it is on record already. `decided` are calls of an earlier turn.
   */
  async execute(
    opening: readonly NewEvent[],
    decided: readonly WaitAnswer[],
  ): Promise<RunEnd<State>> {
    const { turn, agent, resumes } = this.#scope
    if (opening.length > 0) await turn.append(opening)
    try {
      if (decided.length > 0) await new ToolCalls(this.#scope).decide(decided)
      const { calls, records, answers } = agent.program
        ? await programAnswers(this.#scope)
        : NO_ANSWERS
      if (records.length > 0) await turn.append(records)
      const left = resumes.length > 0 ? await this.#leftToFinish(calls) : []
      const end = left.length > 0 ? await this.#useTools(left) : undefined
      return end ?? (await this.#think(answers))
    } catch (error) {
      return await this.#stop(error)
    }
  }

  async #leftToFinish(answered: ReadonlySet<string>): Promise<readonly ModelToolCall[]> {
    const resumes = this.#scope.resumes.filter((call) => !answered.has(call))
    if (resumes.length === 0) return []
    return messagesOf(this.#scope, await this.#snapshot()).flatMap((message) =>
      message.role === 'call' && resumes.includes(message.id)
        ? [{ id: message.id, name: message.name, input: message.text }]
        : [],
    )
  }

  async #think(given: readonly ProgramAnswer[]): Promise<RunEnd<State>> {
    const { agent, signal } = this.#scope
    const kind = agent.program?.source ?? 'model'
    for (let answers = given; ; answers = []) {
      signal.throwIfAborted()
      if (++this.#steps > agent.limits.steps) {
        const message = `Cannot go on: "${agent.name}" may call its ${kind === 'model' ? kind : 'program'} ${agent.limits.steps} times`
        throw new LimitReached('limit_steps', message)
      }
      const stepName = `${kind}:${this.#steps}`
      const step = await agentStep({ scope: this.#scope, origin: this.#model, stepName, answers })
      const { toolCalls, questions = [] } = step
      if (step.said !== '') this.#said = step.said
      if (toolCalls.length + questions.length === 0) {
        if (!agent.output) return this.#finish(step, stepName)
        const end = await this.#endWith(agent.output, step, stepName)
        if (end) return end
        continue
      }
      await this.#settleStep(step)
      const end = await this.#useTools(toolCalls, [stepFinished(stepName, this.#model)], questions)
      if (end) return end
    }
  }

  #proposed({ proposals }: AgentStep): readonly GateProposal[] {
    return withinEmits(this.#scope.agent, proposals)
  }

  /** Runs the tools that were asked for; the end of the run, if it ends with them. */
  async #useTools(
    calls: readonly ModelToolCall[],
    stepEnd: readonly NewEvent[] = [],
    questions: readonly ProgramQuestion[] = [],
  ): Promise<RunEnd<State> | undefined> {
    const { agent } = this.#scope
    this.#toolCalls += calls.length
    if (this.#toolCalls > agent.limits.toolCalls) {
      const message = `Cannot run the tools: "${agent.name}" may call ${agent.limits.toolCalls} in a run`
      throw new LimitReached('limit_tool_calls', message)
    }
    const done = await new ToolCalls(this.#scope).run(calls, questions)
    switch (done.status) {
      case 'waiting':
        await this.#commit([...stepEnd, await this.#waitEnding()])
        return done
      case 'answered':
        await this.#scope.turn.append(stepEnd)
        return undefined
      case 'handoff': {
        const [text, handoffTo] = [this.#said, done.agent.name]
        const ending = successEnding(this.#scope, { text, handoffTo })
        const { next, opening } = this.#handOver(this.#scope, done)
        try {
          await this.#commit([...stepEnd, ending, ...opening])
        } catch (error) {
          this.#scope.turn.active.leave(next.origin.run)
          throw error
        }
        return { status: 'handoff', next }
      }
    }
  }

  /** Ends the run with the questions of its own and of those below it that stopped to ask. */
  async #waitEnding(): Promise<NewEvent> {
    const { pauses, conversation } = await this.#snapshot()
    const below = new Set([this.#scope.origin.run])
    // A run is suspended after those below it, so one pass from the last finds them all.
    for (const { run, origin } of pauses.suspended.toReversed()) {
      if (origin.parentRun !== undefined && below.has(origin.parentRun)) below.add(run)
    }
    const waits = pauses.asked.map(({ wait }) => wait).filter(({ run }) => below.has(run))
    assert(waits.length > 0, 'Cannot wait: no question is on record')
    return waitEnding(this.#scope, inCallOrder(waits, conversation))
  }

  async #settleStep(step: AgentStep): Promise<void> {
    const { turn } = this.#scope
    if (step.proposals.length === 0) {
      await turn.append(step.tail)
      return
    }
    await turn.commit(this.#proposed(step), {
      typed: turn.typed,
      before: step.tail,
      check: this.#requireNotCancelled,
    })
  }

  /** Ends the run with an answer that fits its schema; otherwise the model is asked again. */
  async #endWith(
    schema: ToolSchema,
    step: AgentStep,
    stepName: string,
  ): Promise<RunEnd<State> | undefined> {
    const { agent, turn } = this.#scope
    const read = await readOutput(step.said, schema)
    if ('output' in read) {
      return this.#finish({ ...step, result: read.output }, stepName)
    }
    const isLast = ++this.#outputs >= OUTPUT_ATTEMPTS_MAX
    const note = isLast ? [] : [customTagged('note', askedAgain(read.fault), this.#model)]
    await turn.append([...step.tail, stepFinished(stepName, this.#model), ...note])
    if (isLast) throw invalidOutput(agent.name, read.fault)
    return undefined
  }

  async #finish(step: AgentStep, stepName: string): Promise<RunEnd<State>> {
    const { agent, origin } = this.#scope
    const text = this.#said
    await this.#close({
      before: [...step.tail, stepFinished(stepName, this.#model, { settles: origin.depth === 0 })],
      proposals: this.#proposed(step),
      ending: successEnding(this.#scope, {
        text,
        cut: step.cut,
        result: step.result,
        hasOutput: agent.output !== undefined,
      }),
      pass: agent.submits ? 'submit' : 'derive',
    })
    return { status: 'success', text, agent: agent.name, cut: step.cut }
  }

  /** Ends the run in one commit; a turn whose state waits for effects ends once these were tried. */
  async #close({ ending, ...commit }: Closing): Promise<void> {
    const { turn, origin } = this.#scope
    const isTurn = origin.depth === 0
    let mustWait = false
    await turn.commit(commit.proposals, {
      ...commit,
      pass: isTurn ? commit.pass : 'derive',
      typed: turn.typed,
      check: this.#requireNotCancelled,
      after: ({ state }, { dueWork, isErased }) => {
        const folded = { state, dueWork, isErased }
        mustWait = isTurn && turn.lane.awaits(turn.thread, folded)
        return mustWait ? [] : [ending]
      },
    })
    if (!mustWait) return
    await turn.lane.run(turn.thread, { origin, signal: this.#scope.signal })
    await this.#commit([ending])
  }

  /** Ends a run that failed, was stopped or reached a limit; anything else is thrown on once it is closed. */
  async #stop(error: unknown): Promise<RunEnd<State>> {
    const { origin, turn } = this.#scope
    const why = stopReasonOf(error, this.#scope.signal)
    const snapshot = await this.#snapshot()
    const [open, ...below] = openRunsFrom(origin.run, snapshot.openRuns)
    const ending = stopEnding(this.#scope, why)
    // Runs below it have stopped by now; one whose end was not appended is ended with it.
    const left = endOpenRuns({ ...snapshot, openRuns: below }, why)
    const before = [...left, ...(open ? closeRun(open, snapshot, why.code) : [])]
    try {
      const submits = await this.#submitsAfter(why)
      if (submits) await this.#close({ before, proposals: [], ending, pass: 'submit' })
      else if (why.code !== 'cancelled') await this.#commit([...before, ending])
      else await turn.commit([], { before: [...before, ending] })
    } catch (failed) {
      if (failed instanceof Cancelled) return this.#stop(failed)
      throw failed
    }
    if (why.code === 'internal') throw error
    return { status: 'stopped', ...why }
  }

  /** Ruling 10: a person's click that completed everything submits, though the model failed. */
  async #submitsAfter({ code }: StopReason): Promise<boolean> {
    const { agent, clicks, turn } = this.#scope
    if (!agent.submits || !clicks || ENDS_WITHOUT_SUBMITTING.has(code)) return false
    return completesSubmission(turn, clicks)
  }

  /** Includes all appends of this run; the next append notices those of other processes. */
  #snapshot(): Snapshot<State> | Promise<Snapshot<State>> {
    const { gate, thread } = this.#scope.turn
    return gate.latest(thread)
  }

  /** Appends what ends the run, unless its cancel is on record. */
  #commit(before: readonly NewEvent[]): Promise<unknown> {
    return this.#scope.turn.commit([], { before, check: this.#requireNotCancelled })
  }

  readonly #requireNotCancelled = ({ openRuns }: Snapshot<State>): void =>
    requireNotCancelled(this.#scope.origin.run, openRuns)
}

interface Closing {
  readonly before: readonly NewEvent[]
  readonly proposals: readonly GateProposal[]
  readonly ending: NewEvent
  readonly pass: 'derive' | 'submit'
}

const ENDS_WITHOUT_SUBMITTING: ReadonlySet<string> = new Set([
  'cancelled',
  'interrupted',
  'internal',
])

/** Whether a person's clicks brought about what a submitting rule waits for. */
async function completesSubmission<State>(
  { gate, thread }: Pick<TurnScope<State>, 'gate' | 'thread'>,
  { before, after }: Clicks,
): Promise<boolean> {
  const submits = (state: State): boolean =>
    gate.domain.rules.some((rule) => rule.submits === true && rule.propose(state).length > 0)
  const now = await gate.state(thread, after)
  if (!submits(now.state)) return false
  const then = await gate.state(thread, before)
  return !submits(then.state)
}
