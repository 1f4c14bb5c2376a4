/**
 * Starts a server over what a crash has left, and kills itself at one point of the recovery.
 * Usage: `node recover-until-point.ts PATH WORLD POINT`
 */
import { appendFileSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { recoverOnce } from './recovery.fixture.ts'

const [, , path = '', world = '', fatal = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
const { shelves } = besideLog(path)
let passed = 0

await recoverOnce({
  log,
  shelves,
  async at() {
    if (String(++passed) === fatal) process.kill(process.pid, 'SIGKILL')
  },
  outside: (asked) => appendFileSync(world, `${asked}\n`),
})
await shelves.close()
await log.close()
