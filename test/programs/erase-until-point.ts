/**
 * Erases the person of the thread `t`, and kills itself before or after one of the writes of the erasure.
 * Prints the number of writes that it would pass when it is not killed.
 * Usage: `node erase-until-point.ts PATH POINT`
 */
import { Throughline } from '../../src/application/index.ts'
import { ThreadIndex } from '../../src/log/index.ts'
import { logWith } from '../../src/log/log-with.fixture.ts'
import { openKeys, openStore, sha256, uuidv7 } from '../../src/storage/index.ts'
import { visitsApp } from '../../src/visits.fixture.ts'

const [, , path = '', fatal = ''] = process.argv
const url = `sqlite:${path}`
const store = await openStore(url, { isErasable: true })
const { log, shelves, snapshots } = store
const keys = await openKeys(`${url}.keys`)
if (!shelves || !snapshots) throw new TypeError('Nothing is kept beside the log')
let isErasing = false
let passed = 0

function pass(): void {
  if (isErasing && String(++passed) === fatal) process.kill(process.pid, 'SIGKILL')
}

/** The same object, which passes a point before and after each call of these of its functions. */
function pointed<Part extends object>(part: Part, writes: readonly (keyof Part)[]): Part {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      const isWrite = (writes as readonly unknown[]).includes(name)
      return async (...given: unknown[]): Promise<unknown> => {
        if (isWrite) pass()
        const result: unknown = await Reflect.apply(member, target, given)
        if (isWrite) pass()
        return result
      }
    },
  })
}

const tl = await Throughline.start({
  log: logWith(log, {
    ...(log.notes && { notes: log.notes }),
    append: async (...given) => {
      pass()
      const records = await log.append(...given)
      pass()
      return records
    },
  }),
  keys: pointed(keys, ['erase', 'follow']),
  snapshots: pointed(snapshots, ['forget']),
  threadIndex: pointed(new ThreadIndex(shelves), ['put', 'scrub']),
  apps: [visitsApp()],
  now: Date.now,
  id: uuidv7,
  sha256,
})
await tl.threads()
isErasing = true
await tl.erase('t', { by: 'operator-7', why: 'asked by letter' })
isErasing = false
await tl.drain()
await store.close()
await keys.close()
process.stdout.write(String(passed))
