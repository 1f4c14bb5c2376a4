import { findRun, latestRun } from '../activity/index.ts'
import type { InputPart, RunNode } from '../activity/index.ts'
import type { Json } from '../json/index.ts'
import { AgentThreadView } from './agent-thread-view.ts'
import type { AgentThread } from './agent-thread-view.ts'
import type { FollowStream } from './follow-stream.ts'
import { ThreadRequests } from './thread-requests.ts'
import type {
  PendingRequest,
  ProposedEvent,
  RequestResult,
  ThreadRequestsOptions,
} from './thread-requests.ts'
import { ThreadStore } from './thread-store.ts'
import type { ThreadPlace, ThreadSnapshot, ThreadStoreOptions } from './thread-store.ts'

export interface AgentThreadStoreOptions
  extends
    ThreadRequestsOptions,
    Pick<ThreadStoreOptions, 'page' | 'openingMaxMs' | 'random' | 'sleep' | 'silenceMaxMs'> {
  /** Runs deeper than this are left out; without it, none are. */
  readonly depth?: number
}

/** A thread of agents as the stream shows it, and what a person sent that it does not show yet. */
export interface AgentThreadSnapshot extends ThreadPlace, AgentThread {
  /**
   * `opened` once the thread's records have arrived; `absent` while the server refuses the thread, which
   * the first prompt begins.
   */
  readonly phase: 'opening' | 'opened' | 'absent'
  /** Requests whose outcome the stream does not show yet, oldest first. */
  readonly pending: readonly PendingRequest[]
}

/**
 * Follows one thread of agents and sends prompts, answers and cancels. The tree, the questions and the
 * usage come from the stream alone, so they show records only.
 * The functions are bound, as `useSyncExternalStore` takes them.
 */
export class AgentThreadStore {
  readonly #live: ThreadStore<AgentThread>
  readonly #requests: ThreadRequests
  /** The latest snapshot, and that of the stream which it was made of. */
  #shown: { live: ThreadSnapshot<AgentThread>; snapshot: AgentThreadSnapshot } | undefined

  constructor(options: AgentThreadStoreOptions, followStream?: FollowStream) {
    const { url, depth } = options
    const live = { ...options, url: `${url}/events`, whenRefused: 'look_again' } as const
    this.#live = new ThreadStore(new AgentThreadView(depth), live, followStream)
    this.#requests = new ThreadRequests(options)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const stopLive = this.#live.subscribe(listener)
    const stopRequests = this.#requests.subscribe(listener)
    return () => {
      stopLive()
      stopRequests()
    }
  }

  /** @throws what the fold threw, so that an error boundary shows it */
  readonly getSnapshot = (): AgentThreadSnapshot => {
    const live = this.#live.getSnapshot()
    const pending = this.#requests.settle((each) => isShown(each, live.view))
    const shown = this.#shown
    if (shown?.live === live && shown.snapshot.pending === pending) return shown.snapshot
    const { view, ...place } = live
    const snapshot = { ...place, ...view, phase: phaseOf(place), pending }
    this.#shown = { live, snapshot }
    return snapshot
  }

  /** Asks an agent; give `input`, a text or parts with files, `events`, or both. A turn waits for the turns before it. */
  readonly ask = (
    agent: string,
    input?: string | readonly InputPart[],
    events?: readonly ProposedEvent[],
  ): Promise<RequestResult> =>
    this.#requests.send({
      kind: 'ask',
      agent,
      ...(input !== undefined && { input }),
      ...(events && { events }),
    })

  /** Answers all questions of one of `questions`; `values` as `resume` of the server takes them. */
  readonly answer = (
    run: string,
    values: Readonly<Record<string, Json>>,
  ): Promise<RequestResult> => {
    const { questions } = this.#live.getSnapshot().view
    const isAsked = questions.some((question) => question.run === run)
    return isAsked ? this.#requests.send({ kind: 'answer', run, values }) : IGNORED
  }

  /** Cancels a run and all below it; without one, the run at work, else the one that waits. */
  readonly cancel = (run?: string): Promise<RequestResult> => {
    const { tree } = this.#live.getSnapshot().view
    const latest = latestRun(tree)
    const target = run ?? (latest && isOpen(latest) ? latest.run : undefined)
    return target === undefined ? IGNORED : this.#requests.send({ kind: 'cancel', run: target })
  }

  /** Sends a failed request again: under its key, unless the server refused it for good. */
  readonly retry = (key: string): Promise<RequestResult> => this.#requests.retry(key)

  /** Removes a pending request. A request that is being sent still reaches the server. */
  readonly forget = (key: string): void => this.#requests.forget(key)
}

const IGNORED: Promise<RequestResult> = Promise.resolve({ status: 'ignored' })

function phaseOf({ status, error, seq, head }: ThreadPlace): AgentThreadSnapshot['phase'] {
  if (status === 'refused' && error?.code === 'problem' && seq < 0) return 'absent'
  return status === 'live' && seq >= head ? 'opened' : 'opening'
}

/** Whether the stream shows the outcome of a request. */
function isShown({ request, state }: PendingRequest, view: AgentThread): boolean {
  switch (request.kind) {
    case 'ask':
      if (state.status !== 'accepted') return false
      // After a reset the stream does not send earlier records: the turn may be among them.
      return (
        view.origin === 'restored' || view.tree.turns.some(({ ids }) => ids.includes(state.run))
      )
    case 'answer':
      return view.questions.every(({ run }) => run !== request.run)
    case 'cancel': {
      const run = findRun(view.tree, request.run)
      return run ? !isOpen(run) : state.status === 'accepted'
    }
  }
}

function isOpen({ state }: RunNode): boolean {
  return state.status === 'working' || state.status === 'waiting'
}
