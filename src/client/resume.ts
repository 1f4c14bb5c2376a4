import type { Backoff } from './backoff.ts'
import { ClientError } from './client-error.ts'
import { answerWithin, bytesIn } from './connection.ts'
import { FrameReader } from './frames.ts'
import type { Frame } from './frames.ts'

export interface ResumeOptions<News> {
  /** Makes the next request, and returns the function that sends it. */
  readonly prepare: () => (signal: AbortSignal) => Response | Promise<Response>
  /** Gives what a frame tells the reader, if anything. A {@link ClientError} ends the connection. */
  readonly take: (frame: Frame) => News | undefined
  /** How long the server may be silent; without a bound if undefined. */
  readonly silenceMaxMs: (awaited: 'answer' | 'bytes') => number | undefined
  /** Takes the pauses that the server asks for. Its owner says when a connection succeeded. */
  readonly backoff: Backoff
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

export type ResumeStep<News> =
  /** The server has answered; nothing of the answer has been read. */
  | { readonly type: 'answer'; readonly response: Response }
  /** At least one. */
  | { readonly type: 'news'; readonly news: readonly News[] }
  /** A reader that asks for the next step connects again, after a pause. */
  | Cut

interface Cut {
  readonly type: 'cut'
  readonly error: ClientError
  readonly isEnd: boolean
}

/**
 * Reads one event stream over as many connections as its reader wants, until the signal fires.
 * Reads on only when asked, so a slow reader slows the server down instead of filling memory.
 *
 * @throws what `prepare` throws
 */
export async function* resume<News>(
  options: ResumeOptions<News>,
): AsyncGenerator<ResumeStep<News>, void> {
  const { backoff, sleep, signal } = options
  while (!signal.aborted) {
    const cut = yield* readOnce(options)
    if (signal.aborted) return
    yield cut
    await sleep(backoff.failed(cut.error.retryAfterMs), signal)
  }
}

async function* readOnce<News>(
  options: ResumeOptions<News>,
): AsyncGenerator<ResumeStep<News>, Cut> {
  const { prepare, take, silenceMaxMs, backoff, signal } = options
  const ending = new AbortController()
  const frames = new FrameReader((delayMs) => backoff.setBase(delayMs))
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const close = (): void => {
    ending.abort()
    // A body need not be tied to the signal of its request; on one that is, this has nothing to add.
    reader?.cancel().catch(() => undefined)
  }
  let isEnd = false
  signal.addEventListener('abort', close, { signal: ending.signal })
  try {
    const send = prepare()
    const response = await answerWithin(silenceMaxMs('answer'), async () => send(ending.signal))
    yield { type: 'answer', response }
    const body = await answerWithin(silenceMaxMs('answer'), () => bytesIn(response))
    const opened = body.getReader()
    reader = opened
    for (;;) {
      const { done, value } = await answerWithin(silenceMaxMs('bytes'), () => opened.read())
      if (done) {
        isEnd = true
        throw new ClientError('network', 'Cannot follow the stream: it ended')
      }
      for (const batch of frames.feed(value)) yield* tell(batch, take)
    }
  } catch (error) {
    if (error instanceof ClientError) return { type: 'cut', error, isEnd }
    throw error
  } finally {
    close()
  }
}

/** News before a fault are given: the reader has moved past them, so they will not come again. */
function* tell<News>(
  frames: readonly Frame[],
  take: ResumeOptions<News>['take'],
): Generator<ResumeStep<News>, void> {
  const news: News[] = []
  try {
    for (const frame of frames) {
      const told = take(frame)
      if (told !== undefined) news.push(told)
    }
  } finally {
    if (news.length > 0) yield { type: 'news', news }
  }
}
