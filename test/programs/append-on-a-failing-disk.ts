/**
 * Appends to a log, closes it, opens it again and goes on: so it starts, appends, moves the write-ahead log into the
 * database, and recovers. Prints a line for each record that was acknowledged, as `append-for-a-while.ts` does,
 * and `refused CODE` for each refusal. Usage: `node append-on-a-failing-disk.ts PATH`
 */
import { writeSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'

const STDOUT = 1
const ROUNDS = 6
const LARGE = 'x'.repeat(9_000)
const [, , path = ''] = process.argv

for (let session = 0; session < 2; session++) await refusedOr(appendAndClose)
process.exit()

async function appendAndClose(): Promise<void> {
  const log = await openLog(`sqlite:${path}`)
  for (let round = 0; round < ROUNDS; round++) {
    const data = round === 2 ? LARGE : 'short'
    await refusedOr(async () => {
      const thread = round % 2 === 0 ? 'a' : 'b'
      const records = await log.append(thread, [{ type: 'noted', data }])
      for (const { seq, id, hash } of records) say(`${thread} ${seq} ${id} ${hash}`)
    })
  }
  await log.close()
}

/** A fault without a name ends the process. */
async function refusedOr(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^[a-z_]+$/.test(code)) throw error
    say(`refused ${code}`)
  }
}

/** An acknowledgement has left the process before anything else is written. */
function say(line: string): void {
  writeSync(STDOUT, `${line}\n`)
}
