import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Lamp } from '../domain/lamp.fixture.ts'
import { recordJson } from '../log/index.ts'
import { newFolder } from '../../test/folders.fixture.ts'
import { open } from '../open.ts'
import { errandsApp } from './errands.fixture.ts'
import { replayed } from './index.ts'
import { lampApp, lampLog, lampThread, lampWith } from './lamp-threads.fixture.ts'

const guarded = lampWith('switch_on', () => ({
  guard: (_: Lamp, { watts }: { watts: number }) =>
    watts === 90 ? { refused: 'precondition', detail: 'too bright' } : undefined,
}))

test('recorded threads are a test of a definition: of a log, and of a file that an export gave', async () => {
  const log = lampLog()
  const records = await lampThread(log)
  const file = join(newFolder(), 'lamps.jsonl')
  const lines = [...records.map(recordJson), JSON.stringify({ complete: true, records: 0 })]
  writeFileSync(file, lines.join('\n'))
  for (const store of [log, file]) {
    expect(await replayed(store, lampApp())).toEqual({ threads: 1, decided: 9, skipped: 0 })
    await expect(replayed(store, lampApp(guarded))).rejects.toMatchObject({
      code: 'differs',
      message: expect.stringContaining('"switch_on" of ui on wall was accepted') as string,
    })
  }
})

test('a definition that reads the clock cannot be told, and the clock is as it was afterwards', async () => {
  const log = lampLog()
  await lampThread(log)
  const { now } = Date
  const timed = lampWith('report', () => ({
    reduce: (state: Lamp) => ({ ...state, reported: Date.now() > 0 }),
  }))
  await expect(replayed(log, lampApp(timed))).rejects.toThrow('the definition reads Date.now()')
  expect(Date.now).toBe(now)
  expect(new Date()).toBeInstanceOf(Date)
})

test('nothing compared is no success', async () => {
  await expect(replayed(lampLog(), lampApp())).rejects.toMatchObject({ code: 'differs' })
  const log = lampLog()
  await lampThread(log)
  await expect(replayed(log, lampApp(), { threads: ['x'] })).rejects.toThrow('no such thread')
  const elsewhere = { ...lampApp(), opens: ['report'] }
  await expect(replayed(log, elsewhere)).rejects.toThrow('belongs to another application')
  await expect(replayed('none.jsonl', lampApp())).rejects.toMatchObject({ code: 'no_store' })
})

test('a store whose records are sealed is replayed with its keys, while it is open; without them it cannot be told', async () => {
  const folder = newFolder()
  const store = `sqlite:${join(folder, 'log.db')}`
  const { app } = errandsApp({ erasable: true })
  const tl = await open({ store, apps: [app] })
  const home = tl.as({ source: 'ui', surface: 'home', actor: 'ann' })
  for (const thread of ['one', 'two']) {
    await home.propose(thread, [{ type: 'wanted', data: { what: 'tea' } }])
    await tl.turn(thread, { agent: 'buyer', input: 'Please buy it' }).result
  }
  expect(await replayed(store, app)).toMatchObject({ threads: 2, decided: 2 })
  await tl.erase('two', { by: 'kim', why: 'asked on 3 March' })
  expect(await replayed(store, app)).toMatchObject({ threads: 1, skipped: 1 })
  await tl.close(0)
  renameSync(join(folder, 'log.db.keys'), join(folder, 'elsewhere.keys'))
  await expect(replayed(store, app)).rejects.toThrow('is redacted; replay with its keys')
})
