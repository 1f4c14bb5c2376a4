import type { EventLog } from '../../src/log/index.ts'
import { openLog } from '../../src/storage/index.ts'
import { recordsOf } from '../../src/storage/sqlite-folder.fixture.ts'

/** Returns the first fault of a log against the output of `append-for-a-while.ts`, if there is one. */
export async function brokenPromise(
  path: string,
  printed: readonly string[],
): Promise<string | undefined> {
  try {
    const log = await openLog(`sqlite:${path}`)
    try {
      return await brokenIn(log, printed)
    } finally {
      await log.close()
    }
  } catch (error) {
    return String(error)
  }
}

async function brokenIn(log: EventLog, printed: readonly string[]): Promise<string | undefined> {
  const stored = new Set<string>()
  for (const thread of await log.threads()) {
    const records = await recordsOf(log, thread)
    const ids = new Set(records.map(({ id }) => id))
    if (ids.size < records.length) return `an id occurs twice in "${thread}"`
    if (records.some(({ seq }, index) => seq !== index)) return `"${thread}" has a gap`
    const verdict = await log.verify(thread)
    if (!verdict.ok) return `"${thread}" does not verify: ${JSON.stringify(verdict)}`
    for (const { seq, id, hash } of records) stored.add(`${thread} ${seq} ${id} ${hash}`)
  }
  const lost = printed.filter((line) => !stored.has(line))
  return lost.length > 0 ? `${lost.length} of ${printed.length} acknowledged are lost` : undefined
}
