/** A place in the order of a feed that processes share: what comes later in the feed is greater. */
export interface FeedPlace {
  readonly xid: string
  readonly thread: number
}

/** A position of a shared feed after a consumer's own prefix, if the text names one. */
const POSITION = /^(.*?)(?:(\d{1,18})-(\d{1,15})-(\w{16}))?$/s

/** The position of an entry with this hash. */
export function positionOf({ xid, thread }: FeedPlace, hash: string): string {
  return `${xid}-${thread}-${hash.slice(0, 16)}`
}

/** Splits what a consumer has saved into its own prefix and the place of the position after it, if it names one. */
export function placeIn(saved: string) {
  const [, prefix = '', xid, thread, hash = ''] = POSITION.exec(saved) ?? []
  return { prefix, place: xid === undefined ? undefined : { xid, thread: Number(thread), hash } }
}

/** Negative when the first one comes earlier. */
export function comparePlaces(one: FeedPlace, other: FeedPlace): number {
  if (one.xid === other.xid) return one.thread - other.thread
  return BigInt(one.xid) < BigInt(other.xid) ? -1 : 1
}
