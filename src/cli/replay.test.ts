import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../storage/index.ts'
import { lampThread } from '../replay/lamp-threads.fixture.ts'
import { newFolder } from '../../test/folders.fixture.ts'
import { fullTest } from '../../test/tier.fixture.ts'
import { SECRET, throughline } from './throughline.fixture.ts'

/** Modules of definitions load the library's sources. */
const env = { NODE_OPTIONS: '--conditions=throughline-source' }
const LAMP = resolve('src/domain/lamp.fixture.ts')

/** A store with one thread of a lamp, and a command that replays it against a module with this text. */
async function stored() {
  const folder = newFolder()
  const store = `sqlite:${join(folder, 'log.db')}`
  const log = await openLog(store, { anchorKeys: [SECRET] })
  await lampThread(log as never)
  // A server may use the store meanwhile.
  const replay = (text: string, ...args: readonly string[]) => {
    const module = join(folder, 'lamp.ts')
    writeFileSync(module, `import { lamp } from ${JSON.stringify(LAMP)}\n${text}`)
    return throughline(['replay', '--against', module, ...args], env)
  }
  return { folder, log, store, replay }
}

const changed = (entry: string) =>
  `const events = new Map(lamp.events as any)
   events.set('switch_on', { ...(events.get('switch_on') as any), ${entry} })
   export const changed = { ...lamp, events }`

test('replay ends with 0 when all is equal, 1 when it differs, 2 when it cannot be told', async () => {
  const { log, store, replay } = await stored()
  const same = await replay('export const same = lamp', store)
  expect(same).toMatchObject({ code: 0, stderr: '' })
  expect(same.stdout).toContain('1 equal, 0 differ')
  const guard = `guard: (_: unknown, { watts }: { watts: number }) =>
    watts === 90 ? { refused: 'precondition', detail: 'too bright' } : undefined`
  const other = await replay(changed(guard), store)
  expect(other.code).toBe(1)
  expect(other.stdout).toContain('- 1 thread: "switch_on" of ui on wall was accepted')
  const json = await replay(changed(guard), '--json', store)
  const [report, last] = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(report).toMatchObject({ thread: 't', verdict: 'differs' })
  expect(last).toMatchObject({ done: true, verdict: 'differs', differs: 1, threads: 1 })
  const told = async (text: string, ...args: readonly string[]) => {
    const { code, stdout } = await replay(text, ...args)
    expect(code).toBe(2)
    return stdout
  }
  const same2 = 'export const same = lamp'
  expect(await told('throw new Error("no database")', store)).toContain('no database')
  expect(await told('export const none = 1', store)).toContain('no application and no domain')
  expect(await told('process.exit(0)', store)).toContain('it ended the process')
  expect(await told(changed('reduce: () => ({ at: Date.now() })'), store)).toContain('Date.now()')
  expect(await told(changed('guard: () => { throw new Error("unfit") }'), store)).toContain('unfit')
  expect(await told(same2, store, 'nobody')).toContain('there is no such thread')
  expect(await told(same2, `${store}.gone`)).toContain('there is no such file')
  expect(await told(same2, '--level', '3', store)).toContain('--level is "3"; give 1 to 2')
  await log.close()
})

fullTest('a definition that loops is stopped, and the other threads are told', async () => {
  const { log, store, replay } = await stored()
  const loops = await replay(changed('guard: () => { for (;;) {} }'), store)
  expect(loops).toMatchObject({ code: 2 })
  expect(loops.stdout).toContain('it was not done after')
  await log.close()
})
