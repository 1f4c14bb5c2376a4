import { assert } from '../assert/index.ts'
import { closeRun, endOpenRuns } from '../activity/index.ts'
import type { GateProposal } from '../gate/index.ts'
import type { ConversationMessage } from '../activity/index.ts'
import type { ModelToolCall } from '../models/index.ts'
import type { Snapshot } from '../thread/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import {
  inAttempts,
  compaction,
  fits,
  estimateOf,
  modelHistory,
  LimitReached,
  modelStep,
  stepFinished,
} from '../step/index.ts'
import type { ModelStep } from '../step/index.ts'
import { Cancelled, openRunsFrom, requireNotCancelled, stopReasonOf } from './stop-reason.ts'
import type { StopReason } from './stop-reason.ts'
import { completesSubmission } from './completes-submission.ts'
import { messagesOf } from './run-messages.ts'
import { stopEnding, successEnding, waitEnding } from './run-records.ts'
import type { AgentRunParts, RunEnd, RunScope } from './scope.ts'
import { ToolCalls } from './tool-calls.ts'
import { withinEmits } from './within-emits.ts'

/** One execution of one agent: model, tools, model, until it has nothing more to ask for. */
export class AgentRun<State> {
  readonly #scope: RunScope<State>
  readonly #model: Origin
  readonly #opening: readonly NewEvent[]
  readonly #handOver: AgentRunParts<State>['handOver']
  #steps = 0
  #toolCalls = 0
  /** What the agent said last in this run. */
  #said = ''

  constructor(scope: RunScope<State>, { opening, handOver }: AgentRunParts<State>) {
    this.#scope = scope
    this.#opening = opening
    this.#handOver = handOver
    this.#model = { ...scope.origin, source: 'model' }
  }

  /** Resolves once the run's end is on record; a failed model call or a limit is an end, not an error. */
  async execute(): Promise<RunEnd<State>> {
    await this.#append(this.#opening)
    try {
      const left = await this.#leftToFinish()
      const end = left.length > 0 ? await this.#useTools(left) : undefined
      return end ?? (await this.#think())
    } catch (error) {
      return await this.#stop(error)
    }
  }

  async #leftToFinish(): Promise<readonly ModelToolCall[]> {
    const { resumes } = this.#scope
    if (resumes.length === 0) return []
    return this.#messages(await this.#snapshot()).flatMap((message) =>
      message.role === 'call' && resumes.includes(message.id)
        ? [{ id: message.id, name: message.name, input: message.text }]
        : [],
    )
  }

  async #think(): Promise<RunEnd<State>> {
    const { agent, signal } = this.#scope
    for (;;) {
      signal.throwIfAborted()
      if (++this.#steps > agent.limits.steps) {
        const message = `Cannot go on: "${agent.name}" may call its model ${agent.limits.steps} times`
        throw new LimitReached('limit_steps', message)
      }
      const step = await this.#step()
      const stepName = `model:${this.#steps}`
      if (step.said !== '') this.#said = step.said
      if (step.toolCalls.length === 0) return this.#finish(step, stepName)
      await this.#settleStep(step)
      const end = await this.#useTools(step.toolCalls, stepName)
      if (end) return end
    }
  }

  #step(): Promise<ModelStep> {
    const { turn, signal } = this.#scope
    return inAttempts((attempt) => this.#callModel(attempt), {
      delayMs: turn.retryDelayMs,
      signal,
    })
  }

  async #callModel(attempt: number): Promise<ModelStep> {
    const { turn, agent, budget, signal } = this.#scope
    const snapshot = await this.#snapshotThatFits()
    const offers = turn.offersOf(agent)
    const system = offers.instructions({ state: snapshot.state, thread: turn.thread })
    const prompt = offers.promptUnder(system, turn.sha256)
    const messages = modelHistory(this.#messages(snapshot), { tools: offers.names, prompt })
    const { model, limits, temperature } = agent
    return modelStep({
      model,
      call: {
        system,
        messages,
        tools: offers.definitions,
        maxOutputTokens: limits.outputTokens,
        ...(temperature === undefined ? {} : { temperature }),
        signal,
      },
      toolTexts: [offers.text],
      stepName: `model:${this.#steps}`,
      prompt,
      origin: { ...this.#model, attempt },
      id: turn.id,
      append: (events) => this.#append(events),
      // Where nothing can be proposed there is nothing to take out.
      text: turn.gate.domain.events.size > 0 ? 'tags' : 'verbatim',
      echoes: snapshot.echoes,
      calls: turn.calls,
      prices: turn.prices,
      budget,
    })
  }

  /** The thread as it is now; what is old in it is summed up when it no longer fits a model call. */
  async #snapshotThatFits(): Promise<Snapshot<State>> {
    const { turn, agent, budget, signal } = this.#scope
    const { historyChars: charsMax } = agent.limits
    const snapshot = await this.#snapshot()
    const messages = this.#messages(snapshot)
    if (fits(messages, charsMax)) return snapshot
    const { prices } = turn
    const call = { model: agent.model, maxOutputTokens: agent.limits.outputTokens, prices }
    await compaction({
      ...call,
      messages,
      charsMax,
      origin: this.#model,
      append: (events) => this.#append(events),
      reserve: (prompt) => {
        const reserved = estimateOf(call, prompt)
        return { reserved, ...budget.reserve(reserved) }
      },
      signal,
    })
    return this.#snapshot()
  }

  /** What the model proposed between the lines, for the gate; refusals stand in its history. */
  #proposed({ proposals }: ModelStep): readonly GateProposal[] {
    return withinEmits(this.#scope.agent, proposals)
  }

  /** Runs the tools that were asked for; the end of the run, if it ends with them. */
  async #useTools(
    calls: readonly ModelToolCall[],
    stepName?: string,
  ): Promise<RunEnd<State> | undefined> {
    const { agent, budget } = this.#scope
    this.#toolCalls += calls.length
    if (this.#toolCalls > agent.limits.toolCalls) {
      const message = `Cannot run the tools: "${agent.name}" may call ${agent.limits.toolCalls} in a run`
      throw new LimitReached('limit_tool_calls', message)
    }
    const done = await new ToolCalls(this.#scope, (events) => this.#append(events)).run(calls)
    const stepEnd = stepName === undefined ? [] : [stepFinished(stepName, this.#model)]
    switch (done.status) {
      case 'waiting':
        await this.#commit([...stepEnd, await this.#waitEnding()])
        return done
      case 'answered':
        await this.#append(stepEnd)
        return undefined
      case 'handoff': {
        const [text, handoffTo] = [this.#said, done.to.name]
        const ending = successEnding(this.#scope, { text, usage: budget.usage, handoffTo })
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
    const { pauses } = await this.#snapshot()
    const below = new Set([this.#scope.origin.run])
    // A run is suspended after those below it, so one pass from the last finds them all.
    for (const { run, origin } of pauses.suspended.toReversed()) {
      if (origin.parentRun !== undefined && below.has(origin.parentRun)) below.add(run)
    }
    const waits = pauses.asked.map(({ wait }) => wait).filter(({ run }) => below.has(run))
    assert(waits.length > 0, 'Cannot wait: no question is on record')
    return waitEnding(this.#scope, waits, this.#scope.budget.usage)
  }

  /** Appends the end of a step that asked for tools, with what it proposed. */
  async #settleStep(step: ModelStep): Promise<void> {
    const { turn } = this.#scope
    if (step.proposals.length === 0) return void (await this.#append(step.tail))
    await turn.commit(this.#proposed(step), {
      typed: turn.typed,
      before: step.tail,
      check: this.#requireNotCancelled,
    })
  }

  async #finish(step: ModelStep, stepName: string): Promise<RunEnd<State>> {
    const { agent, budget, origin } = this.#scope
    const text = this.#said
    await this.#close({
      before: [...step.tail, stepFinished(stepName, this.#model, { settles: origin.depth === 0 })],
      proposals: this.#proposed(step),
      ending: successEnding(this.#scope, { text, usage: budget.usage }),
      pass: agent.submits ? 'submit' : 'derive',
    })
    return { status: 'success', text, agent: agent.name }
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
      after: ({ state }, { dueWork }) => {
        mustWait = isTurn && turn.lane.awaits(turn.thread, { state, dueWork })
        return mustWait ? [] : [ending]
      },
    })
    if (!mustWait) return
    await turn.lane.run(turn.thread, { origin, signal: this.#scope.signal })
    await this.#commit([ending])
  }

  /** Ends a run that failed, was stopped or reached a limit; anything else is thrown on once it is closed. */
  async #stop(error: unknown): Promise<RunEnd<State>> {
    const { budget, origin, turn } = this.#scope
    const why = stopReasonOf(error, this.#scope.signal)
    const snapshot = await this.#snapshot()
    const [open, ...below] = openRunsFrom(origin.run, snapshot.openRuns)
    const ending = stopEnding(this.#scope, { ...why, usage: budget.usage })
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

  #messages(snapshot: Snapshot<State>): readonly ConversationMessage[] {
    return messagesOf(this.#scope, snapshot)
  }

  /** It has all that this run has appended; what other processes write is met at the next append. */
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

  #append(events: readonly NewEvent[]): Promise<unknown> {
    return events.length > 0 ? this.#scope.turn.append(events) : Promise.resolve()
  }
}

/** What ends a run, in one commit. */
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
