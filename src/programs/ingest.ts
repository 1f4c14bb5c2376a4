import { aggregateTokenUsage } from '@ag-ui/core'
import type { AGUIEvent, RunAgentInput, RunFinishedEvent, TokenUsage } from '@ag-ui/core'
import type {
  PageRequest,
  Program,
  ProgramQuestion,
  ProgramStep,
  ProgramStepRequest,
} from '../agents/index.ts'
import type { Json } from '../json/index.ts'
import { LinkedSignal } from '../models/index.ts'
import { stableId } from '../gate/index.ts'
import type { NewEvent } from '../log/index.ts'
import {
  FailedStep,
  costOf,
  customTagged,
  modelOutput,
  stepFinished,
  stepStarted,
} from '../step/index.ts'
import { StreamVerifier, WireError } from '../wire/index.ts'
import { StateProposals, beginningState } from './forward.ts'
import type { BeginningState, Forwarded, StateEvents } from './forward.ts'
import { REMOTE_EVENTS_MAX } from './limits.ts'
import { mended } from './mend.ts'
import type { ProgramFault } from './mend.ts'
import { ProgramError, remoteFailure, streamRefused } from './program-error.ts'
import { questionsOf } from './questions.ts'
import { isRecordable } from './recordable.ts'
import { RecordFlow } from './record-flow.ts'
import type { HeaderReader } from './request-headers.ts'
import { runInput } from './run-input.ts'
import { RunRecords } from './run-records.ts'

/**
 * Asks a program for one run, and yields its answer as AG-UI events, not checked yet. The stream ends
 * with the program's; aborting the signal ends it at once.
 *
 * @throws {@link ProgramError} with `isUnreached` where the program has not begun
 */
export type EventSource = (
  input: RunAgentInput,
  options: { readonly signal: AbortSignal; readonly header?: HeaderReader | undefined },
) => AsyncIterable<unknown>

export interface IngestOptions {
  /** Gives the program the state of its run; by default an empty object. */
  readonly state?: (state: unknown) => Json
  readonly forwardedProps?: Json
  readonly forward?: Forwarded
  readonly stateEvents?: StateEvents
  /** The media types of files that the program reads. */
  readonly files?: readonly string[]
  /** Learns, once for each stream, of a fault that was mended or of something that was left out. */
  readonly onFault?: (fault: ProgramFault) => void
}

/**
 * Makes a program of a source of AG-UI events. Each event is verified before it is put on record; nothing of
 * a stream that breaks the protocol counts from the event on that breaks it.
 */
export function programOf(
  source: Program['source'],
  events: EventSource,
  options: IngestOptions = {},
): Program {
  const { forward = {}, files } = options
  /** The requests of clients that a run has begun with: they hold for its first step. */
  const taken = new WeakSet<PageRequest>()
  return {
    source,
    ...(files && { files }),
    async step(request) {
      const { page } = request
      const isFirst = !taken.has(page)
      const beginning = await beginningState(request, { ...options, forward }, isFirst).catch(
        asFailed,
      )
      const step = await new Ingest(request, { ...options, events, beginning, isFirst }).run()
      taken.add(page)
      return step
    },
  }
}

/** Nothing was sent to the program yet. */
function asFailed(error: unknown): never {
  throw error instanceof ProgramError ? new FailedStep(error) : error
}

interface IngestParts extends IngestOptions {
  readonly events: EventSource
  readonly beginning: BeginningState
  /** Whether the client's request goes to the program with this step. */
  readonly isFirst: boolean
}

class Ingest {
  readonly #request: ProgramStepRequest
  readonly #options: IngestParts
  readonly #flow: RecordFlow
  readonly #records: RunRecords
  readonly #states: StateProposals | undefined
  readonly #runId: string
  readonly #usage: TokenUsage[] = []
  readonly #faults = new Set<ProgramFault>()
  readonly #started = performance.now()
  #finished: RunFinishedEvent | undefined
  /** Whether the current events belong to the requested run. Earlier runs of a stream restate history. */
  #isAsked = false

  constructor(request: ProgramStepRequest, options: IngestParts) {
    const { thread, origin, stepName, append } = request
    this.#request = request
    this.#options = options
    this.#runId = stableId(thread, origin.run, stepName, String(origin.attempt ?? 1), request.id())
    this.#flow = new RecordFlow(append)
    const { stateEvents, beginning } = options
    this.#states = stateEvents && new StateProposals(request, stateEvents, beginning.domain)
    this.#records = new RunRecords(request, {
      runId: this.#runId,
      state: beginning.state,
      keepsIds: this.#keepsIds,
      put: (event) => this.#flow.put(event),
      warn: this.#warn,
      stateChanged: this.#states && ((state) => this.#takeState(state)),
    })
  }

  /** A sub-agent's conversation is not the thread. */
  get #keepsIds(): boolean {
    return this.#options.forward?.ids === true && this.#request.origin.depth === 0
  }

  #takeState(state: Json): void {
    this.#states?.take(state)
    this.#flow.afterAppend(async () => this.#states?.propose())
  }

  #input(): RunAgentInput {
    const { thread, conversation, page } = this.#request
    const { forward = {}, files = [], beginning, isFirst } = this.#options
    const { systemMessages = [] } = page
    const given = forward.forwardedProps && isFirst ? page.forwardedProps : undefined
    return runInput(this.#request, {
      threadId: this.#keepsIds ? thread : conversation,
      runId: this.#runId,
      state: beginning.state,
      forwardedProps: given ?? this.#options.forwardedProps ?? {},
      systemMessages: forward.systemMessages ? systemMessages : [],
      files,
    })
  }

  async run(): Promise<ProgramStep> {
    const { origin, stepName, append, budget } = this.#request
    // The program reports its usage afterwards; only a budget that is used up stops the request.
    const reservation = budget.reserve({ tokens: 0, cost: 0 })
    // On record before the request is sent: a program that may have begun is not asked again.
    const asked = customTagged('program_asked', { runId: this.#runId }, origin)
    await append([stepStarted(stepName, origin), asked])
    try {
      await this.#read()
      const step = await this.#step()
      this.#settle(reservation)
      return step
    } catch (error) {
      const failure = failureOf(error, this.#request.signal)
      if (!failure) throw error
      this.#settle(reservation)
      await this.#fail(failure)
      throw new FailedStep(failure)
    }
  }

  async #read(): Promise<void> {
    const { signal, page } = this.#request
    const input = this.#input()
    const { threadId, runId } = input
    const onRemoved = () => this.#warn('unknown_members')
    const verifier = new StreamVerifier({ threadId, runId, onRemoved })
    const line = new LinkedSignal(signal)
    let count = 0
    try {
      const stream = mended(
        this.#options.events(input, { signal: line.signal, header: page.header }),
        {
          warn: this.#warn,
          onDropped: (finished) => this.#takeDropped(finished),
        },
      )
      for await (const { value, isBehind } of stream) {
        signal.throwIfAborted()
        if (++count > REMOTE_EVENTS_MAX) {
          throw streamRefused('too_many', `it has more than ${REMOTE_EVENTS_MAX} events`)
        }
        // Nothing that comes behind the end of a run breaks it.
        const taken = isBehind ? verifier.takeFitting(value) : verifier.take(value)
        for (const each of taken) this.#take(each)
        await this.#flow.room()
      }
      signal.throwIfAborted()
      verifier.end()
    } finally {
      line.abort()
      line.release()
    }
  }

  #take(event: AGUIEvent): void {
    if (event.type === 'RUN_STARTED') this.#isAsked = event.runId === this.#runId
    else if (event.type === 'RUN_ERROR') {
      this.#usage.push(...(event.usage ?? []))
      throw remoteFailure(event)
    } else if (this.#isAsked && event.type === 'RUN_FINISHED') {
      this.#usage.push(...(event.usage ?? []))
      this.#finished = event
    } else if (this.#isAsked) this.#records.take(event)
  }

  /** TanStack AI ends each model call with RUN_FINISHED: its usage counts. */
  #takeDropped(given: unknown): void {
    const { usage } = given as { readonly usage?: unknown }
    try {
      const probe = new StreamVerifier()
      const run = { threadId: 't', runId: 'r' }
      probe.take({ type: 'RUN_STARTED', ...run })
      const [event] = probe.take({ type: 'RUN_FINISHED', ...run, usage })
      if (event?.type === 'RUN_FINISHED') this.#usage.push(...(event.usage ?? []))
    } catch (error) {
      if (!(error instanceof WireError)) throw error
    }
  }

  async #step(): Promise<ProgramStep> {
    const { outcome } = this.#finished ?? {}
    if (outcome?.type === 'cancelled') {
      throw new ProgramError('remote_cancelled', 'The agent was stopped on its own server')
    }
    const records = this.#records
    records.takeSnapshot()
    records.owners.endAll()
    const questions = this.#questions()
    const listed = outcome?.type === 'success' ? outcome.pendingToolCallIds : undefined
    const toolCalls = records.calls.pending(listed)
    const waiting = [...toolCalls, ...questions.map(({ call }) => call)].map(({ id }) => id)
    // A program that asks goes on with its other calls in the next run, or asks about them.
    if (questions.length === 0) records.calls.giveUp(records.root, new Set(waiting))
    const { origin, append } = this.#request
    const rest = await this.#flow.end()
    if (this.#states?.refused) {
      await append(rest)
      throw this.#states.refused
    }
    const tail = [
      ...rest,
      ...records.state.record(origin),
      ...this.#outputs({ finishReason: outcome?.type ?? 'success', toolCalls: waiting }),
    ]
    const result = this.#result()
    return {
      usage: this.#usages[0],
      result,
      proposals: records.proposals.list,
      toolCalls,
      questions,
      said: records.said || wordsOf(result),
      tail,
    }
  }

  #questions(): readonly ProgramQuestion[] {
    const { outcome } = this.#finished ?? {}
    const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : []
    const asIs = this.#options.forward?.interrupts === true
    return questionsOf(interrupts, this.#records.calls, { asIs })
  }

  #result(): Json | undefined {
    const { result } = this.#finished ?? {}
    if (result === undefined || isRecordable(result)) return result as Json | undefined
    this.#warn('value_too_large')
    return undefined
  }

  /** The engine closes open items when it ends the run. A program that was not reached opened none. */
  async #fail({ code, isUnreached }: ProgramError): Promise<void> {
    const { origin, stepName, append } = this.#request
    const rest = await this.#flow.end()
    const unreached = isUnreached ? { unreached: true } : {}
    const ended = isUnreached ? [stepFinished(stepName, origin)] : []
    await append([...rest, ...this.#outputs({ error: code, ...unreached }), ...ended])
  }

  #outputs(more: Readonly<Record<string, Json>>): readonly NewEvent[] {
    const { origin, prices } = this.#request
    const elapsedMs = Math.round(performance.now() - this.#started)
    const [first, ...others] = this.#usages
    const output = (usage: TokenUsage, said: Readonly<Record<string, Json>>): NewEvent =>
      modelOutput({ origin, usage, prices, reserved: undefined, more: said })
    const { error } = more
    const also = error === undefined ? {} : { error }
    return [output(first, { ...more, elapsedMs }), ...others.map((usage) => output(usage, also))]
  }

  /** One entry for each model, or one without counts; named after the agent where the program names none. */
  get #usages(): readonly [TokenUsage, ...TokenUsage[]] {
    const { origin, agent } = this.#request
    const nameless = { provider: origin.source, model: agent }
    const named = this.#usage.map((usage) => ({ ...nameless, ...usage }))
    const [first = nameless, ...others] = aggregateTokenUsage(named)
    return [first, ...others]
  }

  #settle(reservation: ReturnType<ProgramStepRequest['budget']['reserve']>): void {
    const { prices } = this.#request
    for (const usage of this.#usages) reservation.settle({ usage, cost: costOf(usage, prices) })
  }

  readonly #warn = (fault: ProgramFault): void => {
    if (this.#faults.has(fault)) return
    this.#faults.add(fault)
    this.#options.onFault?.(fault)
  }
}

/** A run without words may have a result alone. */
function wordsOf(result: Json | undefined): string {
  if (result === undefined) return ''
  return typeof result === 'string' ? result.trim() : JSON.stringify(result)
}

/** Returns why a stream failed; undefined for an error that is not the program's, such as a lost lease. */
function failureOf(error: unknown, signal: AbortSignal): ProgramError | undefined {
  if (signal.aborted) {
    return new ProgramError('cancelled', 'The run was stopped', { cause: error })
  }
  if (error instanceof ProgramError) return error
  if (error instanceof WireError) {
    return new ProgramError(error.code, error.message, { cause: error })
  }
  return undefined
}
