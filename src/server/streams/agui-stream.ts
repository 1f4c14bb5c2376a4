import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { LiveRun, SentText } from '../../faces/index.ts'
import { chunkOf } from './event-stream-sink.ts'
import type { Chunk, Sink } from './event-stream-sink.ts'
import { HEARTBEAT_INTERVAL_MS, STALL_MAX_MS } from './event-stream.ts'
import { answerStream } from './stream-answer.ts'

const KEEP_ALIVE = ': keep-alive\n\n'

export type AguiFrames = AsyncGenerator<SentText, LiveRun | undefined>

export interface FramesAnswer {
  /** Makes the frames of a run until its signal fires. */
  readonly frames: (signal: AbortSignal) => AguiFrames
  /** Called with the sink before the first frame: counts the stream, says what ends it early. */
  readonly admit: (sink: Sink) => Promise<AbortSignal>
  /** Told why a stream that was open broke off. */
  readonly failed: (error: unknown) => void
}

/**
 * Answers with the frames of a run, as fast as the reader takes them. A reader that leaves ends nothing but
 * its own stream; one that takes nothing for too long is dropped and resumes from its last frame.
 */
export function answerFrames(
  context: Context<{ Bindings: HttpBindings }>,
  { frames, admit, failed }: FramesAnswer,
): Promise<Response> {
  return answerStream(context, async (sink) => {
    const until = await admit(sink)
    const gone = new AbortController()
    sink.onceClosed(() => gone.abort())
    if (sink.closed || until.aborted) return sink.end()
    if (!sink.begin(KEEP_ALIVE)) return
    const writing = write(sink, frames(AbortSignal.any([until, gone.signal])))
    writing.catch((error: unknown) => {
      failed(error)
      sink.end()
    })
  })
}

/** Many readers are sent the same text: it is encoded once. */
const chunks = new WeakMap<SentText, Chunk>()

function chunkFor(sent: SentText): Chunk {
  const chunk = chunks.get(sent) ?? chunkOf(sent.text)
  chunks.set(sent, chunk)
  return chunk
}

async function write(sink: Sink, frames: AguiFrames): Promise<void> {
  const alive = setInterval(() => sink.write(chunkOf(KEEP_ALIVE)), HEARTBEAT_INTERVAL_MS)
  try {
    const live = await writeRecorded(sink, frames)
    if (live) await writeLive(sink, live)
    else sink.finish()
  } finally {
    clearInterval(alive)
  }
}

async function writeRecorded(sink: Sink, frames: AguiFrames): Promise<LiveRun | undefined> {
  for (;;) {
    const { done, value } = await frames.next()
    if (done) return value
    const stalled = setTimeout(() => sink.end(), STALL_MAX_MS)
    await sink.flush(chunkFor(value))
    clearTimeout(stalled)
  }
}

function writeLive(sink: Sink, live: LiveRun): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let stalled: NodeJS.Timeout | undefined
  const goOn = (): void => {
    clearTimeout(stalled)
    live.resume()
  }
  live.follow({
    take: (sent) => {
      if (sink.write(chunkFor(sent))) return true
      stalled = setTimeout(() => sink.end(), STALL_MAX_MS)
      sink.onceDrained(goOn)
      return false
    },
    end: (how, error) => {
      clearTimeout(stalled)
      if (how === 'complete') sink.finish()
      else sink.end()
      if (error === undefined) resolve()
      else reject(error)
    },
  })
  return promise
}
