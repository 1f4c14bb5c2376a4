import type { Domain } from '../domain/index.ts'
import { equalJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { EventLog } from '../log/index.ts'
import { Pace } from './pace.ts'
import { emptySnapshot, foldSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'

/** Folds a thread from its first record, and gives its fold at each of these seqs, which rise. */
export async function* foldsAt<State>(
  { log, domain }: { readonly log: EventLog; readonly domain: Domain<State> },
  thread: string,
  seqs: readonly number[],
): AsyncGenerator<Snapshot<State>, undefined> {
  const pace = new Pace()
  let snapshot = emptySnapshot(domain)
  for (const seq of seqs) {
    const next = { after: snapshot.seq, limit: seq - snapshot.seq }
    if (next.limit > 0) {
      for await (const records of log.read(thread, next)) {
        snapshot = foldSnapshot(domain, snapshot, records)
        await pace.rest()
      }
    }
    yield snapshot
  }
}

/** Whether the text of a snapshot says what a fold from the first record gives; members may be in any order. */
export function isTextOf<State>(body: string, folded: Snapshot<State>): boolean {
  const text = JSON.stringify(folded)
  // Both are texts of snapshots, which JSON carries as far as they are kept.
  return text === body || equalJson(JSON.parse(text) as Json, JSON.parse(body) as Json)
}
