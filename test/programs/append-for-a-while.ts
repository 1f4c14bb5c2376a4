/**
 * Opens a log some times over, appends to it from several writers, and prints a line for each record
 * that was acknowledged: thread, seq, id, hash. Without numbers it
 * goes on until it is killed. Usage: `node append-for-a-while.ts PATH [SESSIONS ROUNDS]`
 */
import { writeSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'

const STDOUT = 1
// Not through the stream: an acknowledgement must have left the process when it is killed. Nor may
// anything touch the stream, `import 'node:process'` included, or the pipe no longer waits when full.
const [, , path = '', sessions = '1', rounds = 'Infinity'] = process.argv
const WRITERS = ['a', 'b', 'c']
/** Now and then an event is large, so that the write-ahead log fills up and begins anew. */
const LARGE_EVERY = 10
const LARGE_CHARS = 40_000

for (let session = 1; session <= Number(sessions); session++) {
  const log = await openLog(`sqlite:${path}`)
  await Promise.all(
    WRITERS.map(async (thread) => {
      for (let round = 0; round < Number(rounds); round++) {
        const events = Array.from({ length: 1 + (round % 4) }, () => ({
          type: 'counted',
          data: {},
        }))
        const note = 'x'.repeat(round % LARGE_EVERY === 0 ? LARGE_CHARS : 20)
        const records = await log.append(thread, [...events, { type: 'noted', data: note }])
        const lines = records.map(({ seq, id, hash }) => `${thread} ${seq} ${id} ${hash}\n`)
        writeSync(STDOUT, lines.join(''))
      }
    }),
  )
  // The last session ends without a request to end.
  if (session < Number(sessions)) await log.close()
}
process.exit()
