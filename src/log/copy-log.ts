import type { EventLog } from './event-log.ts'
import { LogError } from './log-error.ts'
import { recordAt } from './record-at.ts'
import type { LogRecord } from './record.ts'

export interface CopiedThread {
  readonly thread: string
  /** Records that it holds in both logs. */
  readonly records: number
  /** Of these, how many were appended now. */
  readonly appended: number
}

/**
 * Copies all threads of a log into another one, and yields each once it is copied. Every record keeps its id,
 * its time, its position and its hash, which is compared. An interrupted copy continues where it ended.
 * Records appended to the source meanwhile may be missing: copy again when nothing writes to it.
 *
 * @throws {@link LogError} `version_conflict` where the target holds another history of a thread, `corrupt`
 * where a copied record has another hash, and the errors of both logs
 */
export async function* copyLog(from: EventLog, to: EventLog): AsyncGenerator<CopiedThread, void> {
  for (const thread of await from.threads()) {
    const held = await to.head(thread)
    await requireSameHistory(thread, held, { from, to })
    let records = held + 1
    for await (const batch of from.read(thread, { after: held })) {
      const [first] = batch
      if (!first) continue
      const copies = await to.append(thread, batch, { expectedVersion: first.seq - 1 })
      requireSameHashes(batch, copies)
      records += batch.length
    }
    yield { thread, records, appended: records - held - 1 }
  }
}

async function requireSameHistory(
  thread: string,
  head: number,
  { from, to }: { readonly from: EventLog; readonly to: EventLog },
): Promise<void> {
  if (head < 0) return
  const [source, target] = await Promise.all([from, to].map((log) => recordAt(log, thread, head)))
  if (source !== undefined && source.hash === target?.hash) return
  const why = source ? 'its records are others' : 'it has more records'
  throw new LogError(
    'version_conflict',
    `Cannot copy the thread "${thread}": the target holds it already, and ${why}; copy into an empty store`,
  )
}

function requireSameHashes(records: readonly LogRecord[], copies: readonly LogRecord[]): void {
  const at = records.findIndex(({ hash }, index) => copies[index]?.hash !== hash)
  const different = records[at]
  if (!different) return
  throw new LogError(
    'corrupt',
    `Cannot copy the thread "${different.thread}": its record ${different.seq} has another hash in the target`,
  )
}
