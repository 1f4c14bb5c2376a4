/**
 * Lists the threads of a log, and kills itself before or after one of the writes of its index.
 * Prints the number of writes that it would pass when it is not killed.
 * Usage: `node list-until-point.ts PATH POINT`
 */
import { notesApp, start, ticketsApp } from '../../src/application/tickets.fixture.ts'
import { ThreadIndex } from '../../src/log/index.ts'
import { SqliteShelves, openLog } from '../../src/storage/index.ts'

const [, , path = '', fatal = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
let passed = 0

function pass(): void {
  if (String(++passed) === fatal) process.kill(process.pid, 'SIGKILL')
}

class PointedShelves extends SqliteShelves {
  override async update(...given: Parameters<SqliteShelves['update']>): Promise<boolean> {
    pass()
    const isDone = await super.update(...given)
    pass()
    return isDone
  }
}

const shelves = new PointedShelves(`${path}.side`)
const threadIndex = new ThreadIndex(shelves)
const tl = await start({ log, threadIndex, apps: [ticketsApp(), notesApp] })
await tl.threads()
await tl.drain()
await shelves.close()
await log.close()
process.stdout.write(String(passed))
