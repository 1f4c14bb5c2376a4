/**
 * Starts a server over what a crash has left, and kills itself at one point of the recovery.
 * Usage: `node recover-until-point.ts PATH WORLD POINT`
 */
import { appendFileSync } from 'node:fs'
import { openCursors, openLog } from '../../src/storage/index.ts'
import { recoverOnce } from './recovery.fixture.ts'

const [, , path = '', world = '', fatal = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
const cursors = openCursors(`sqlite:${path}`)
if (!cursors) throw new TypeError('Cannot keep cursors')
let passed = 0

await recoverOnce({
  log,
  cursors,
  async at() {
    if (String(++passed) === fatal) process.kill(process.pid, 'SIGKILL')
  },
  outside: (asked) => appendFileSync(world, `${asked}\n`),
})
cursors.close()
await log.close()
