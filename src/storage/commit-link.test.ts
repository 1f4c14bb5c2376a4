import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { NewEvent } from '../log/index.ts'
import type { CommitReply, CommitRequest } from './commit-messages.ts'
import { decodeReply, decodeRequests, encodeReply, encodeRequests } from './commit-wire.ts'
import { openLog } from './open-log.ts'
import { counted, freshPath } from './sqlite-folder.fixture.ts'

const door = new URL('index.ts', import.meta.url).href

/** Runs a program that has a log open, as somebody who tries it out would. */
function run(code: string) {
  const program = `
    import { DatabaseSync } from 'node:sqlite'
    import { openLog } from ${JSON.stringify(door)}
    const path = ${JSON.stringify(freshPath())}
    const log = await openLog('sqlite:' + path)
    const [record] = await log.append('t', [{ type: 'tried', data: {} }])
    console.log(record.seq)
    ${code}`
  const args = ['--input-type=module', '--eval', program]
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000 })
}

/** While somebody else holds the file, commits move to a thread that waits for it. */
const TO_A_THREAD = `
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    const appending = log.append('t', [{ type: 'tried', data: {} }])
    setTimeout(() => other.exec('COMMIT'), 50)
    console.log((await appending)[0].seq)
    other.close()`

test('a log that was not closed keeps no process from ending', () => {
  expect(run('')).toMatchObject({ status: 0, stdout: '0\n', stderr: '' })
  expect(run(TO_A_THREAD)).toMatchObject({ status: 0, stdout: '0\n1\n', stderr: '' })
})

test('a log that was closed leaves no thread behind', () => {
  const code = `${TO_A_THREAD}
    await log.close()
    console.log(process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length)`
  expect(run(code)).toMatchObject({ status: 0, stdout: '0\n1\n0\n', stderr: '' })
})

test('an append that nobody waits for is committed before the process ends', () => {
  const code = `
    void log.append('t', [{ type: 'tried', data: {} }]).then(() => console.log('committed'))`
  expect(run(code)).toMatchObject({ status: 0, stdout: '0\ncommitted\n' })
})

test('commits that have to wait move to a thread of their own, and go on from where they were', async () => {
  const path = freshPath()
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  const log = await openLog(`sqlite:${path}`)
  const before = await log.append('t', counted(0, 40))
  expect(threads).toBe(0)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const waiting = log.append('t', counted(40, 240))
  await setTimeout(20)
  other.exec('COMMIT')
  other.close()
  expect((await waiting).map(({ seq }) => seq).slice(0, 2)).toEqual([40, 41])
  const known = [{ ...counted(7, 8)[0], id: before[4]?.id }, ...counted(240, 243)]
  // What a test hands in here is an event.
  const after = await log.append('t', known as NewEvent[], { expectedVersion: 239 })
  expect(threads).toBe(1)
  expect(after.map(({ seq }) => seq)).toEqual([4, 240, 241, 242])
  expect(after[0]).toEqual(before[4])
  expect(after[1]?.prev).toBe((await waiting).at(-1)?.hash)
  await expect(log.append('t', counted(0, 1), { expectedVersion: 5 })).rejects.toMatchObject({
    code: 'version_conflict',
  })
  const unfit = [...counted(0, 100), { type: '', data: {} }]
  await expect(log.append('u', unfit)).rejects.toMatchObject({ code: 'invalid_event' })
  expect(await log.append('u', counted(0, 100))).toHaveLength(100)
  expect(await log.threads()).toEqual(['t', 'u'])
  expect(await log.verify('t')).toEqual({ ok: true, head: 242 })
  await log.close()
  process.off('worker', count)
  const again = await openLog(`sqlite:${path}`)
  expect(await again.verify('t')).toEqual({ ok: true, head: 242 })
  await again.close()
})

test('messages cross the threads as they were', () => {
  const part = { kind: 'part', thread: 'ü "quoted"', expectedVersion: null } as const
  const requests: readonly CommitRequest[] = [
    { ...part, number: 7, ids: ['a', 'b'], texts: ['{"a":"\\ud800 👾"}', ''], position: 'first' },
    { ...part, number: 7, ids: ['c'], texts: ['"\u2028 \\" ü"'], position: 'last' },
    { kind: 'flush' },
    { kind: 'cancel', number: 3 },
    { kind: 'close' },
  ]
  expect(decodeRequests(encodeRequests(requests))).toEqual(requests)
  const before = { seq: -1, hash: '0' }
  const reply: CommitReply = {
    kind: 'answers',
    answers: [
      { status: 'appended', number: 1, before, hashes: ['f'], held: [null, '{"data":"\ud800"}'] },
      { status: 'refused', number: 2, failure: { code: 'busy', message: 'm' } },
    ],
  }
  expect(decodeReply(encodeReply(reply))).toEqual(reply)
})
