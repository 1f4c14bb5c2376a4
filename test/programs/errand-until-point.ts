/**
 * Runs one turn with tools, effects and a deadline, and kills itself at one point of it; started again on
 * the same file it goes on. Prints each point that it passes.
 * Usage: `node errand-until-point.ts PATH WORLD POINT [cancelled]`
 */
import { appendFileSync, writeSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { runErrand } from './errand-turn.fixture.ts'

const STDOUT = 1
const [, , path = '', world = '', fatal = '', how = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
const { shelves, cursors } = besideLog(path)
let passed = 0

await runErrand({
  log,
  cursors,
  isCancelled: how === 'cancelled',
  async at(point) {
    // Not through the stream: it may not have written the line when the process is killed.
    writeSync(STDOUT, `${++passed} ${point}\n`)
    if (String(passed) === fatal) process.kill(process.pid, 'SIGKILL')
  },
  outside: (line) => appendFileSync(world, `${line}\n`),
})
await shelves.close()
await log.close()
