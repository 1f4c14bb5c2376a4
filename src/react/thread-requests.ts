import type { InputPart } from '../activity/index.ts'
import { textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { Outbox } from './outbox.ts'
import type { OutboxOptions, Pending, Result } from './outbox.ts'

/** An event of the domain that a person proposes with a turn. */
export interface ProposedEvent {
  readonly id?: string
  readonly type: string
  readonly data: Json
}

/** A person's request to the agents of a thread. */
export type ThreadRequest =
  | {
      readonly kind: 'ask'
      readonly agent: string
      readonly input?: string | readonly InputPart[]
      /** An empty list asks the agent to go on. */
      readonly events?: readonly ProposedEvent[]
      readonly first?: boolean
    }
  | {
      readonly kind: 'answer'
      readonly run: string
      readonly values: Readonly<Record<string, Json>>
    }
  | { readonly kind: 'cancel'; readonly run: string }

interface Begun {
  /** The run that begins, goes on or ends. */
  readonly run: string
}

/** A request of which the stream has not shown the outcome. */
export type PendingRequest = Pending<ThreadRequest, Begun>

/** `ignored`: the thread had no such question, run or failed request. */
export type RequestResult = Result<Begun>

export interface ThreadRequestsOptions extends OutboxOptions<ThreadRequest, Begun> {
  /** The thread's address, such as `/api/threads/ID`. */
  readonly url: string
}

/** Sends a person's requests to the agents of one thread. */
export class ThreadRequests extends Outbox<ThreadRequest, Begun> {
  constructor({ url, ...options }: ThreadRequestsOptions) {
    super(
      {
        post: (request) => posted(`${url}/runs`, request),
        accepted: (answer) => ({ run: textOf(answer, 'runId') }),
        // The run has ended or is about to: the stream shows how.
        isOver: ({ kind }, { problem }) => kind === 'cancel' && problem?.code === 'not_running',
        // Another answer to the same questions takes the place of one that failed.
        replaces: (next, { request, state }) =>
          state.status === 'failed' &&
          next.kind === 'answer' &&
          request.kind === 'answer' &&
          next.run === request.run,
      },
      options,
    )
  }
}

function posted(
  runs: string,
  request: ThreadRequest,
): { readonly url: string; readonly body: Json } {
  switch (request.kind) {
    case 'ask': {
      const { agent, input, events, first } = request
      const said = input === undefined ? {} : { input }
      const proposed = events && { events: events.map((event) => ({ ...event })) }
      return { url: runs, body: { agent, ...said, ...proposed, ...(first && { first }) } }
    }
    case 'answer': {
      const { run, values } = request
      return { url: `${runs}/${encodeURIComponent(run)}/resume`, body: { values } }
    }
    case 'cancel':
      return { url: `${runs}/${encodeURIComponent(request.run)}/cancel`, body: {} }
  }
}
