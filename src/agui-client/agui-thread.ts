import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { AGUIEvent, Context, Message, ResumeEntry, RunAgentInput, Tool } from '@ag-ui/core'
import { request } from '../client/index.ts'
import { membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { RemovedMembers } from '../wire/index.ts'
import { AguiClientError } from './agui-client-error.ts'
import { aguiFetch } from './agui-fetch.ts'
import type { AguiFetchOptions } from './agui-fetch.ts'
import type { Fault } from '../activity/index.ts'
import { requireCoverage } from './resume-coverage.ts'
import { RunStream } from './run-stream.ts'
import type { AguiThreadView, RunEnd } from './run-state.ts'
import { ThreadFold } from './thread-fold.ts'
import type { ThreadFoldOptions } from './thread-fold.ts'

/** Times that a run asks for a fresh snapshot because a patch did not fit. */
export const SNAPSHOT_REQUESTS_MAX = 3
/** Changes are shown together, at most once in this time, in milliseconds. */
const FRAME_MS = 16

export interface AguiThreadOptions extends ThreadFoldOptions, Pick<AguiFetchOptions, 'attaches'> {
  /** Where the agent takes runs; `/connect` and `/stop/ID` below it, where it has them. */
  readonly url: string
  /** A new id unless given. */
  readonly threadId?: string
  /** Tools of the page and its context, sent with each run that names none. */
  readonly tools?: readonly Tool[]
  readonly context?: readonly Context[]
  /** Asked again for every request, so that a renewed token is used. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** By default {@link aguiFetch}, with `attaches` and `headers`, which it also asks after a cut. */
  readonly fetch?: typeof fetch
  readonly now?: () => number
  readonly newId?: () => string
  /** Learns what the protocol does not describe, and was removed. */
  readonly onRemoved?: (removed: RemovedMembers) => void
}

export interface RunRequest {
  /** Names the run; a run that the agent knows is attached to, where the agent can do that. */
  readonly runId?: string
  /** New messages: of the person, or results of the page's tools. */
  readonly messages?: readonly Message[]
  readonly tools?: readonly Tool[]
  readonly context?: readonly Context[]
  readonly forwardedProps?: unknown
  /** Answers to all open questions. */
  readonly resume?: readonly ResumeEntry[]
}

/**
 * One thread of an AG-UI agent: runs it, joins it and stops it, and shows it. One run at a time.
 * The functions are bound, as `useSyncExternalStore` takes them.
 *
 * @example
 * const thread = new AguiThread({ url: '/agui/desk' })
 * const end = await thread.run({ messages: [{ id: '1', role: 'user', content: 'Hello' }] })
 */
export class AguiThread {
  readonly threadId: string
  readonly #options: AguiThreadOptions
  readonly #fetch: typeof fetch
  readonly #headers: () => Readonly<Record<string, string>>
  readonly #fold: ThreadFold
  readonly #newId: () => string
  readonly #listeners = new Set<() => void>()
  #shown: AguiThreadView<Json>
  #frame: 'none' | 'due' = 'none'
  #left: AbortController | undefined
  #misfits = 0

  constructor(options: AguiThreadOptions) {
    this.#options = options
    this.#newId = options.newId ?? newId
    this.threadId = options.threadId ?? this.#newId()
    const { fetch: given, headers = noHeaders, attaches } = options
    this.#fetch = given ?? aguiFetch({ headers, ...(attaches && { attaches }) })
    // Our own fetch asks for them itself.
    this.#headers = given ? headers : noHeaders
    this.#fold = new ThreadFold({ ...options, onFault: (fault) => this.#fault(fault) })
    this.#shown = this.#fold.view
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const notify = (): void => listener()
    this.#listeners.add(notify)
    return () => {
      this.#listeners.delete(notify)
    }
  }

  /** The thread as it was shown last, the same object until it changes. */
  readonly getSnapshot = (): AguiThreadView<Json> => this.#shown

  /**
   * Runs the agent and returns how the run ended. New messages show at once. A stream that breaks ends as
   * `broken`, one that was left as `left`; neither says how the run ended.
   *
   * @throws {@link AguiClientError} when the thread cannot take the request; nothing was sent
   */
  readonly run = async (asked: RunRequest = {}): Promise<RunEnd> => {
    this.#requireIdle()
    const { now = Date.now } = this.#options
    requireCoverage(this.#fold.view.interrupts, asked.resume ?? [], now())
    this.#fold.add(asked.messages ?? [])
    return this.#follow(this.#options.url, this.#inputOf(asked))
  }

  /**
   * Joins the thread: takes its messages and state as they are, then what the run at work adds.
   *
   * @throws {@link AguiClientError} `running`
   */
  readonly connect = async (): Promise<RunEnd> => {
    this.#requireIdle()
    return this.#follow(`${this.#options.url}/connect`, this.#inputOf({}))
  }

  /** Asks the agent to cancel the run, and returns whether it has one to cancel. The run ends by its stream. */
  readonly stop = async (): Promise<boolean> => {
    const { url } = this.#options
    const answer = await request(`${url}/stop/${encodeURIComponent(this.threadId)}`, {
      body: {},
      fetch: this.#fetch,
      headers: this.#headers(),
    })
    return membersOf(answer)['stopped'] === true
  }

  /** Stops following the run, which goes on without this client. */
  readonly leave = (): void => {
    const left = this.#left
    if (!left) return
    this.#left = undefined
    left.abort()
    const { run } = this.#fold
    this.#fold.moveTo({ status: 'left', runId: ('runId' in run && run.runId) || '' })
    this.#publish()
  }

  #requireIdle(): void {
    if (!this.#left) return
    throw new AguiClientError('running', 'Cannot run: a run of this thread is under way')
  }

  #inputOf({ runId = this.#newId(), forwardedProps = {}, resume, ...asked }: RunRequest) {
    const { tools = [], context = [] } = { ...this.#options, ...asked }
    const { messages, state } = this.#fold.view
    return {
      protocolVersion: PROTOCOL_VERSION,
      threadId: this.threadId,
      runId,
      // The protocol leaves activities out of the conversation that a client sends.
      messages: messages.filter(({ role }) => role !== 'activity'),
      state,
      tools: [...tools],
      context: [...context],
      forwardedProps,
      ...(resume && { resume: [...resume] }),
    } satisfies RunAgentInput
  }

  async #follow(url: string, input: RunAgentInput): Promise<RunEnd> {
    const { runId } = input
    const left = new AbortController()
    const { signal } = left
    this.#left = left
    this.#fold.moveTo({ status: 'asking', runId })
    this.#publishSoon()
    try {
      await this.#take(await this.#open(url, input, signal), signal)
    } catch (error) {
      // Another run may be under way by now.
      if (signal.aborted) return { status: 'left', runId }
      if (!(error instanceof Error)) throw error
      this.#fold.moveTo({ status: 'broken', runId, error })
    } finally {
      if (this.#left === left) this.#left = undefined
      left.abort()
      this.#publish()
    }
    const { run } = this.#fold
    // A whole stream has ended its last run: the verifier sees to that.
    return run as RunEnd
  }

  #open(url: string, input: RunAgentInput, signal: AbortSignal): Promise<RunStream> {
    const request = { url, input, headers: this.#headers(), fetch: this.#fetch, signal }
    return RunStream.open(request, this.#options.onRemoved)
  }

  /** Takes a run to its end. What its stream says is set right by a snapshot when a patch does not fit. */
  async #take(stream: RunStream, signal: AbortSignal): Promise<void> {
    let requests = 0
    let handled = this.#misfits
    let from: 'own stream' | 'joined stream' = 'own stream'
    const take = (event: AGUIEvent): void => {
      signal.throwIfAborted()
      if (from === 'own stream' || isBoundary(event)) this.#fold.take(event)
      this.#publishSoon()
    }
    while (await stream.read(take)) {
      if (this.#misfits === handled || from === 'joined stream') continue
      if (requests++ < SNAPSHOT_REQUESTS_MAX && (await this.#join(signal))) from = 'joined stream'
      handled = this.#misfits
    }
  }

  /**
   * Replaces messages and state by those of the thread and takes what follows, until its run has ended.
   * Returns false when the agent gives no snapshot.
   */
  async #join(signal: AbortSignal): Promise<boolean> {
    let stream: RunStream
    try {
      stream = await this.#open(`${this.#options.url}/connect`, this.#inputOf({}), signal)
    } catch (cause) {
      if (!(cause instanceof Error) || signal.aborted) throw cause
      const message = `Cannot get a snapshot of the state: ${cause.message}`
      this.#fault({ code: 'no_snapshot', message, cause })
      return false
    }
    // The run's own stream reports its end.
    const take = (event: AGUIEvent): void => {
      signal.throwIfAborted()
      if (!isBoundary(event)) this.#fold.take(event)
      this.#publishSoon()
    }
    while (await stream.read(take));
    return true
  }

  #fault(fault: Fault): void {
    if (fault.code === 'misfit' && fault.event?.type === 'STATE_DELTA') this.#misfits++
    this.#options.onFault?.(fault)
  }

  #publishSoon(): void {
    if (this.#frame === 'due') return
    this.#frame = 'due'
    setTimeout(() => this.#publish(), FRAME_MS)
  }

  #publish(): void {
    this.#frame = 'none'
    const { view } = this.#fold
    if (view === this.#shown) return
    this.#shown = view
    for (const notify of this.#listeners) notify()
  }
}

/** Whether an event begins or ends a run. */
function isBoundary({ type }: AGUIEvent): boolean {
  return type === 'RUN_STARTED' || type === 'RUN_FINISHED' || type === 'RUN_ERROR'
}

const noHeaders = (): Readonly<Record<string, string>> => ({})

/** `randomUUID` is missing on pages that came over plain HTTP. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
