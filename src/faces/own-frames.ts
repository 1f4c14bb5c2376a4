import { diff } from '../domain/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { Pace } from '../thread/index.ts'
import type { Face, FaceList, FaceQuery, ListPage } from './face.ts'

/** A browser's delay before it reconnects. */
export const RETRY_MS = 500

/** The deepest runs that a reader can ask for; deeper ones are always shown with no depth given. */
const DEPTH_MAX = 1_000

/** The frames of our own faces beside their records. */
export const ownFrames: Pick<Face, 'opening' | 'restart' | 'heartbeat'> = {
  opening: (place) => `retry: ${RETRY_MS}\n${namedFrame('hello', place)}`,
  async restart({ thread, view }, lost) {
    const { seq, state } =
      lost.reason === 'erased'
        ? { seq: -1, state: (await view.follow(thread, -1)).state }
        : await view.state(thread)
    return { after: seq, frames: namedFrame('reset', { ...lost, head: seq, state }) }
  },
  heartbeat: () => ':\n\n',
}

/** A frame of an event stream with a name of its own and data as JSON. */
export function namedFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A role's view of the thread's state after the record at `seq`. */
export interface ShownState {
  readonly seq: number
  readonly state: Json
}

/** The whole state as a frame. */
export function stateFrame({ seq, state }: ShownState): string {
  return namedFrame('state', { seq, state })
}

/**
 * The frame that leads from `before` to `after`: a delta by RFC 6902, or the whole state when that is
 * shorter. Undefined when both are equal.
 */
export function stateChange(before: ShownState, after: ShownState): string | undefined {
  const delta = diff(before.state, after.state)
  if (delta.length === 0) return undefined
  const change = namedFrame('state', { seq: after.seq, base: before.seq, delta })
  const whole = stateFrame(after)
  return change.length < whole.length ? change : whole
}

/** Parses the query parameters of our faces, used or not. */
export function ownQuery(query: FaceQuery): { readonly state: boolean; readonly depthMax: number } {
  return {
    state: query.wholeNumber('state', { min: 0, max: 1 }) === 1,
    depthMax: query.wholeNumber('depth', { min: 0, max: DEPTH_MAX }) ?? DEPTH_MAX,
  }
}

/**
 * Lists the entry or the entries of each record. Counted in records, so that a page never reads more of a log
 * than was asked for.
 */
export async function listOf(
  { name, thread }: { readonly name: string; readonly thread: string },
  { log, epoch, after, limit }: ListPage,
  entriesOf: (record: LogRecord) => unknown,
): Promise<FaceList> {
  const pace = new Pace()
  const texts: string[] = []
  let next = after
  for await (const records of log.read(thread, { after, limit })) {
    const entries = records.flatMap((record) => entriesOf(record))
    texts.push(...entries.map((entry) => JSON.stringify(entry)))
    next = records.at(-1)?.seq ?? next
    await pace.rest()
  }
  return { name, texts, rest: { next, head: await log.head(thread), epoch } }
}
