/**
 * Runs two turns and kills itself at one point of them; started again on the same file it recovers the
 * open runs. Prints each point that it passes.
 * Usage: `node turn-until-point.ts PATH WORLD [NUMBER OF A POINT]`
 */
import { appendFileSync, writeSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'
import { runTwoTurns } from './two-turns.fixture.ts'

const STDOUT = 1
const [, , path = '', world = '', fatal = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
let passed = 0

await runTwoTurns({
  log,
  async at(point) {
    // Numbered in the order of a run: where a text is cut into appends goes by the clock.
    writeSync(STDOUT, `${++passed} ${point}\n`)
    if (String(passed) === fatal) process.kill(process.pid, 'SIGKILL')
  },
  outside: (asked) => appendFileSync(world, `${asked}\n`),
})
await log.close()
