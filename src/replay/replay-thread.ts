import { ownerIn } from '../application/index.ts'
import { thrownMessage } from '../json/index.ts'
import { decideAgain } from './decide-again.ts'
import type { AgainOptions } from './decide-again.ts'
import type { Definition } from './definition.ts'
import { notCompared } from './difference.ts'
import type { ThreadReport } from './difference.ts'
import type { ImpurityWatch } from './impurity.ts'
import { recordsOf } from './stored-threads.ts'
import type { StoredThreads } from './stored-threads.ts'

export interface Replaying {
  readonly stored: StoredThreads
  readonly definitions: readonly Definition[]
  readonly bases: readonly Definition[]
  readonly level: AgainOptions['level']
  readonly watch: ImpurityWatch
}

/** Replays one thread. What fails is why it cannot be told: the other threads are replayed all the same. */
export async function replayThread(thread: string, parts: Replaying): Promise<ThreadReport> {
  try {
    const records = await recordsOf(parts.stored, thread)
    if (records.length === 0) return notCompared(thread, 'cannot_tell', 'there is no such thread')
    const owner = ownerIn(parts.definitions, records)
    if (!owner) return notCompared(thread, 'skipped', 'it belongs to another application')
    const base =
      parts.bases.find(({ name }) => name === owner.name) ?? ownerIn(parts.bases, records)
    parts.watch.read()
    const report = decideAgain(owner, records, { level: parts.level, base })
    const read = parts.watch.read()
    if (read === undefined) return report
    return notCompared(thread, 'cannot_tell', `the definition reads ${read}`)
  } catch (error) {
    return notCompared(thread, 'cannot_tell', thrownMessage(error))
  }
}
