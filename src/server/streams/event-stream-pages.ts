import { NewestMap } from '../../thread/index.ts'
import type { EventLog } from '../../log/index.ts'
import type { FrameWriter, RunWriter } from '../../faces/index.ts'
import { chunkOf } from './event-stream-sink.ts'
import type { Chunk } from './event-stream-sink.ts'
import type { StateFeed } from './event-stream-state.ts'

/** Pages that are kept for the next reader at the same place. */
export const PAGES_KEPT_MAX = 64
/** A page of one huge record is not kept. */
export const PAGE_BYTES_KEPT_MAX = 131_072

/** One thread in one view and face: its readers get the same frames. */
export interface Showing {
  readonly thread: string
  /** Differs from the key of every other showing. */
  readonly key: string
  readonly newWriter: () => FrameWriter
  /** Present where frames of the state are sent too. */
  readonly state?: StateFeed
}

/** Stored records as one chunk, up to the seq `to`. They never change; more may be appended. */
interface Page {
  readonly chunk: Chunk
  readonly to: number
}

/** Writers that write the same frames from now on have the same key. One whose run is awaited has none. */
export function sharedKey({ key }: Showing, writer: FrameWriter): string | undefined {
  if (writer.frames !== 'run') return key
  return writer.status === 'open' ? `${key}\n${writer.run}` : undefined
}

/** Whether a writer has shown its whole run. */
export function isOver(writer: FrameWriter): writer is RunWriter & { readonly status: 'over' } {
  return writer.frames === 'run' && writer.status === 'over'
}

/** Reads pages from a log, once for readers that fall behind or come back together. */
export class Pages {
  readonly #log: EventLog
  readonly #kept = new NewestMap<Promise<Page | undefined>>(PAGES_KEPT_MAX)

  constructor(log: EventLog) {
    this.#log = log
  }

  /** The page after a position, or nothing at the head. */
  after(showing: Showing, after: number, writer: FrameWriter): Promise<Page | undefined> {
    if (writer.frames === 'folded' || writer.frames === 'run')
      return this.#read(showing, after, writer)
    const key = `${showing.key}\n${after}`
    const kept = this.#kept.get(key)
    if (kept) return kept
    const page = this.#read(showing, after, writer)
    this.#kept.set(key, page)
    const forget = (): void => {
      if (this.#kept.get(key) === page) this.#kept.delete(key)
    }
    page.then((read) => {
      if (!read || read.chunk.plain.length > PAGE_BYTES_KEPT_MAX) forget()
    }, forget)
    return page
  }

  async #read(showing: Showing, after: number, writer: FrameWriter): Promise<Page | undefined> {
    const { thread } = showing
    const texts = writer.frames === 'stored' ? this.#log.readJson?.(thread, { after }) : undefined
    for await (const page of texts ?? []) {
      const frames = page.map((text, index) => `id: ${after + 1 + index}\ndata: ${text}\n\n`)
      return { chunk: chunkOf(frames.join('')), to: after + page.length }
    }
    if (texts) return undefined
    await writer.catchUp(this.#log, after)
    for await (const records of this.#log.read(thread, { after })) {
      const frames =
        writer.frames === 'run' ? await writer.ownFramesOf(records) : writer.framesOf(records)
      return { chunk: chunkOf(frames), to: after + records.length }
    }
    return undefined
  }
}
