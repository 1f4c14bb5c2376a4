import type { TokenUsage } from '@ag-ui/core'
import { agentEvent, customEvent } from '../activity/index.ts'
import { textOf } from '../json/index.ts'
import type { Answer, Gate, GateProposal } from '../gate/index.ts'
import type { Snapshot } from '../thread/index.ts'
import type { EventLog, LogRecord, NewEvent, Origin, Sha256 } from '../log/index.ts'
import {
  CallIds,
  FailedStep,
  LimitReached,
  MODEL_RETRY_DELAY_MS,
  inAttempts,
  modelHistory,
  modelStep,
  newestMessages,
} from '../step/index.ts'
import { stableId } from '../gate/index.ts'
import { threadBudget } from '../agents/index.ts'
import type { ModelStep, ThreadLimits } from '../step/index.ts'
import { runDueEffects } from './effects.ts'
import type { EffectRunners } from './effects.ts'
import type { Narrator } from './narrator.ts'
import type { StoppableTurn } from './stoppable-turns.ts'
import { turnResult } from './turn-result.ts'
import type { TurnResult } from './turn-result.ts'

export interface TurnInput {
  readonly userMessage?: string
  readonly directEvents?: readonly {
    readonly id?: string
    readonly type: string
    readonly data: unknown
  }[]
  readonly isFirstTurn?: boolean
  /** The person who clicked and wrote, as an opaque id. */
  readonly actor?: string
  /** Names this request: asked again with the same key, the turn is not run again. */
  readonly key?: string
  /** What was asked for, as a digest: under the same key nothing else can be asked. */
  readonly digest?: string
}

export interface TurnParts<State> {
  readonly gate: Gate<State>
  readonly log: EventLog
  readonly runners: EffectRunners<State>
  readonly id: () => string
  readonly sha256: Sha256
  readonly retryDelayMs?: number
  readonly threadLimits?: ThreadLimits
}

export interface TurnRequest<State> {
  readonly thread: string
  readonly narrator: Narrator<State>
  readonly input: TurnInput
  readonly run: string
  /** The run that was asked for first under this key; what it has put on record is not put again. */
  readonly first?: string
}

/** One turn, from its first record to its terminal one. */
export class Turn<State> {
  readonly #parts: TurnParts<State>
  readonly #request: TurnRequest<State>
  readonly #enter: () => StoppableTurn
  readonly #system: Origin
  readonly #calls: CallIds

  constructor(parts: TurnParts<State>, request: TurnRequest<State>, enter: () => StoppableTurn) {
    this.#parts = parts
    this.#request = request
    this.#enter = enter
    this.#calls = new CallIds({ ...parts, thread: request.thread })
    const { surface, agent } = request.narrator
    this.#system = { source: 'system', surface, agent, depth: 0, run: request.run }
  }

  async run(): Promise<TurnResult> {
    const { thread, run } = this.#request
    const { digest } = this.#request.input
    const asked = digest === undefined ? {} : { metadata: { request: digest } }
    const names = { threadId: thread, runId: run }
    const start = agentEvent('RUN_STARTED', { ...names, ...asked }, this.#system)
    // Before anybody can know of the run, so that whoever does can stop it.
    const stoppable = this.#enter()
    try {
      const [started] = await this.#append([{ ...start, id: run }])
      await this.#work(stoppable)
      return await this.result(started?.seq ?? 0)
    } finally {
      stoppable.leave()
    }
  }

  async #work({ signal, stoppedBy, leave }: StoppableTurn): Promise<void> {
    try {
      const completed = await this.#hear()
      const step = await this.#narrate(signal)
      // Who asked in time finds it stopped, even if the model had just ended; who comes now, does not.
      leave()
      const by = stoppedBy()
      if (by !== undefined) return await this.#endStopped(by)
      if (!(step instanceof Error)) {
        await this.#apply(step.proposals)
        return await this.#finish(step.usage)
      }
      if (completed && !isCancelled(step)) await this.#apply([])
      await this.#fail(step)
    } catch (error) {
      await this.#fail(error)
    }
  }

  /** What the turn came to that began with this record. */
  async result(startSeq: number): Promise<TurnResult> {
    const { thread, run } = this.#request
    const mine: LogRecord[] = []
    for await (const batch of this.#parts.log.read(thread, { after: startSeq - 1 })) {
      mine.push(...batch.filter((record) => record.origin.run === run))
    }
    return turnResult(run, mine)
  }

  /**
   * Applies what people did, and puts on record what they wrote and what the model is told of it. Tells
   * whether what they did completed what a submitting rule waits for.
   */
  async #hear(): Promise<boolean> {
    const { thread, narrator, input } = this.#request
    const text = input.userMessage?.trim() ?? ''
    const proposals = (input.directEvents ?? []).map((event, at) => this.#direct(event, at))
    const { answers, snapshot } = await this.#parts.gate.commit(thread, proposals)
    const notes = narrator.notes({
      state: snapshot.state,
      accepted: answers.filter(({ refusal }) => !refusal).map(({ record }) => record),
      refused: answers.flatMap(({ record, refusal }) =>
        refusal ? [{ type: textOf(record.data, 'type'), reason: refusal.refused }] : [],
      ),
      first: input.isFirstTurn === true,
      bare: text === '' && proposals.length === 0,
    })
    await this.#append([
      ...(text === '' ? [] : this.#spoken(text)),
      ...notes.map((note) => ({
        ...customEvent('note', note, this.#system),
        id: this.#once('note', note),
      })),
    ])
    return this.#completed(answers, snapshot.state)
  }

  async #completed(answers: readonly Answer[], state: State): Promise<boolean> {
    const { gate } = this.#parts
    const submits = (on: State): boolean =>
      gate.domain.rules.some((rule) => rule.submits === true && rule.propose(on).length > 0)
    const [first] = answers.map(({ record }) => record.seq).toSorted((one, other) => one - other)
    if (first === undefined || !submits(state)) return false
    // Asked again after a crash, the clicks are older than this run.
    const before = await gate.state(this.#request.thread, first - 1)
    return !submits(before.state)
  }

  /** The same id when the turn is asked for again, so that what got in the first time is found. */
  #once(...parts: readonly string[]): string {
    const { thread, run, first = run } = this.#request
    return stableId(thread, first, ...parts)
  }

  #direct(event: NonNullable<TurnInput['directEvents']>[number], at: number): GateProposal {
    const { type, data, id = this.#once('event', String(at)) } = event
    return { id, type, data, origin: this.#person() }
  }

  #person(): Origin {
    const { actor } = this.#request.input
    return { ...this.#system, source: 'ui', ...(actor === undefined ? {} : { actor }) }
  }

  #spoken(delta: string): readonly NewEvent[] {
    const origin = this.#person()
    const messageId = this.#once('message')
    return [
      agentEvent('TEXT_MESSAGE_START', { messageId, role: 'user' }, origin),
      agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin),
      agentEvent('TEXT_MESSAGE_END', { messageId }, origin),
    ].map((event) => ({ ...event, id: this.#once('message', event.type) }))
  }

  async #narrate(signal: AbortSignal): Promise<ModelStep | FailedStep | LimitReached> {
    const delayMs = this.#parts.retryDelayMs ?? MODEL_RETRY_DELAY_MS
    try {
      return await inAttempts((attempt) => this.#callModel(attempt, signal), { delayMs, signal })
    } catch (error) {
      if (error instanceof FailedStep || error instanceof LimitReached) return error
      throw error
    }
  }

  async #callModel(attempt: number, signal: AbortSignal): Promise<ModelStep> {
    const { thread, narrator } = this.#request
    const { gate, threadLimits = {} } = this.#parts
    const snapshot = await gate.snapshot(thread)
    const origin: Origin = { ...this.#system, source: 'model', attempt }
    const stepName = `model:${attempt}`
    const system = narrator.instructions(snapshot.state)
    const prompt = this.#parts.sha256(system)
    const heard = newestMessages(heardOn(snapshot, narrator.surface))
    const step = await modelStep({
      model: narrator.model,
      call: { system, messages: modelHistory(heard, { prompt }), signal },
      prompt,
      stepName,
      text: 'tags',
      echoes: snapshot.echoes,
      origin,
      id: this.#parts.id,
      calls: this.#calls,
      append: (events) => this.#append(events),
      budget: threadBudget({ thread, snapshot, now: gate.now }, threadLimits),
    })
    await this.#append([...step.tail, agentEvent('STEP_FINISHED', { stepName }, origin)])
    return step
  }

  async #apply(proposals: readonly GateProposal[]): Promise<void> {
    const { thread, narrator, input } = this.#request
    const { gate, runners } = this.#parts
    await gate.commit(thread, proposals, {
      typed: (input.userMessage?.trim() ?? '') !== '',
      pass: narrator.maySubmit ? 'submit' : 'derive',
    })
    if (narrator.maySubmit) await runDueEffects(gate, thread, { runners, origin: this.#system })
  }

  async #finish(usage: TokenUsage): Promise<void> {
    const { thread, run } = this.#request
    const ended = {
      threadId: thread,
      runId: run,
      outcome: { type: 'success' as const },
      usage: [usage],
    }
    await this.#append([agentEvent('RUN_FINISHED', ended, this.#system)])
  }

  async #endStopped(stoppedBy: string): Promise<void> {
    const { thread, run } = this.#request
    const outcome = { type: 'cancelled' as const }
    const ended = { threadId: thread, runId: run, outcome, metadata: { stoppedBy } }
    await this.#append([agentEvent('RUN_FINISHED', ended, this.#system)])
  }

  /** A failed model call or a limit ends the run and is a result; anything else ends it and is thrown on. */
  async #fail(error: unknown): Promise<void> {
    await this.#append([agentEvent('RUN_ERROR', failureOf(error), this.#system)])
    if (!(error instanceof FailedStep || error instanceof LimitReached)) throw error
  }

  #append(events: readonly NewEvent[]): Promise<readonly LogRecord[]> {
    return this.#parts.gate.append(this.#request.thread, events)
  }
}

function isCancelled(failure: FailedStep | LimitReached): boolean {
  return failure instanceof FailedStep && failure.failure.code === 'cancelled'
}

function failureOf(error: unknown) {
  if (error instanceof FailedStep) return { message: error.message, code: error.failure.code }
  if (!(error instanceof LimitReached)) {
    return { message: 'Cannot finish the run: an internal error', code: 'internal' }
  }
  const { message, until } = error
  const ours = until === undefined ? {} : { metadata: { throughline: { until } } }
  return { message, code: 'limit', ...ours }
}

function heardOn<State>(snapshot: Snapshot<State>, surface: string) {
  return snapshot.conversation.messages.filter((message) => message.surface === surface)
}
