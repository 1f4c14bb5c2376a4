/**
 * Lists the threads of a log, and kills itself before or after one of the writes of its index.
 * Prints the number of writes that it would pass when it is not killed.
 * Usage: `node list-until-point.ts PATH POINT`
 */
import { notesApp, start, ticketsApp } from '../../src/application/tickets.fixture.ts'
import type { ThreadIndex } from '../../src/log/index.ts'
import { openLog } from '../../src/storage/index.ts'
import { besideLog } from '../../src/storage/shelves.fixture.ts'

const [, , path = '', fatal = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
const { shelves, threadIndex: index } = besideLog(path)
let passed = 0

function pass(): void {
  if (String(++passed) === fatal) process.kill(process.pid, 'SIGKILL')
}

const pointed: ThreadIndex = {
  load: () => index.load(),
  list: (...given) => index.list(...given),
  count: (...given) => index.count(...given),
  async begin(generation) {
    pass()
    await index.begin(generation)
    pass()
  },
  async put(...given) {
    pass()
    const isSaved = await index.put(...given)
    pass()
    return isSaved
  },
}
const tl = await start({ log, threadIndex: pointed, apps: [ticketsApp(), notesApp] })
await tl.threads()
await tl.drain()
await shelves.close()
await log.close()
process.stdout.write(String(passed))
