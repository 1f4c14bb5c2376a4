/** A place in the feed's order. Places rise with what they name, so that processes can compare them. */
export interface FeedPlace {
  readonly xid: string
  readonly thread: number
}

export const FEED_BEGINNING: FeedPlace = { xid: '0', thread: -1 }

const POSITION = /^(.*?)(?:(\d{1,18})-(\d{1,15})-\w{16})?$/s

/** Splits what a consumer has saved into its own prefix and the place of the position after it. */
export function placeIn(saved: string): { readonly prefix: string; readonly place: FeedPlace } {
  const [, prefix = '', xid, thread] = POSITION.exec(saved) ?? []
  if (xid === undefined) return { prefix, place: FEED_BEGINNING }
  return { prefix, place: { xid, thread: Number(thread) } }
}
