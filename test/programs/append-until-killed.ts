/**
 * Appends to a log until it is killed, and prints the ids of what was acknowledged, a line per
 * append. Usage: `node append-until-killed.ts PATH THREADS`
 */
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { openLog, uuidv7 } from '../../src/storage/index.ts'

const STDOUT = 1
const [, , path = '', threads = '1'] = argv
const log = await openLog(`sqlite:${path}`)

/** One writer: the size of its appends changes as it goes. */
async function appendOn(thread: string): Promise<never> {
  for (let turn = 0; ; turn++) {
    const ids = Array.from({ length: 1 + (turn % 4) }, uuidv7)
    await log.append(
      thread,
      ids.map((id) => ({ id, type: 'counted', data: { turn } })),
    )
    // Not through the stream: what was acknowledged must have left the process when it is killed, and
    // a pipe that the stream has touched no longer waits when it is full.
    writeSync(STDOUT, `${thread} ${ids.join(' ')}\n`)
  }
}

await Promise.all(Array.from({ length: Number(threads) }, (_, n) => appendOn(`thread-${n}`)))
