import { ClientError, broken } from './client-error.ts'
import { problemError } from './problem.ts'

/** The part of `fetch` that this room needs. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>

type EventStream = Response & { readonly body: ReadableStream<Uint8Array> }

/** Whether frames can be read from an answer. One of 204 has none. */
export function isEventStream(response: Response): response is EventStream {
  const type = response.headers.get('content-type') ?? ''
  return response.ok && response.body !== null && /^text\/event-stream/i.test(type)
}

/**
 * The stream of bytes in an answer.
 *
 * @throws {@link ClientError} when it holds none
 */
export async function bytesIn(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (isEventStream(response)) return response.body
  if (!response.ok || response.status === 204) {
    throw await problemError(response, 'follow the stream')
  }
  throw broken(`the answer is "${response.headers.get('content-type') ?? ''}"`)
}

/**
 * Waits for the server, but not for ever where there is a bound: a dead connection says nothing.
 *
 * @throws {@link ClientError}
 */
export async function answerWithin<Result>(
  maxMs: number | undefined,
  wait: () => Promise<Result>,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    if (maxMs === undefined) return
    const message = `Cannot follow the stream: nothing came for ${maxMs} ms`
    timer = setTimeout(() => reject(new ClientError('timeout', message)), maxMs)
  })
  try {
    return await Promise.race([wait(), silence])
  } catch (cause) {
    if (cause instanceof ClientError) throw cause
    throw new ClientError('network', 'Cannot follow the stream: it was cut', { cause })
  } finally {
    clearTimeout(timer)
  }
}
