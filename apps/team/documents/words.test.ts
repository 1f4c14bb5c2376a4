import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import {
  START,
  documentsAfter,
  durableTeam,
  file,
  hello,
  said,
  wholeOf,
} from './documents-after.fixture.ts'
import type { Said } from './documents-after.fixture.ts'
import type { Document } from './index.ts'

setFlagsFromString('--expose-gc')
// A function of the engine, which has no types.
const collect = runInNewContext('gc') as () => void

const TEXTS = 60
const TEXT_CHARS = 400_000
const SAVED_WITHIN_MS = 10_000

const texts = (documents: readonly Document[]) =>
  documents.flatMap((each) => (each.type === 'message' ? [each.text] : []))

const answer = (text: string): Said => [
  'process',
  'claude_text',
  { messageId: 'm', content: [said(text)] },
]

function saved(kept: string, text: string): Promise<void> {
  return vi.waitFor(() => expect(readFileSync(kept, 'utf8')).toContain(text), SAVED_WITHIN_MS)
}

test('the memory that documents take does not grow with what messages say', async () => {
  const { say, openStore } = await durableTeam()
  const store = await openStore()
  const held = () => (collect(), process.memoryUsage().heapUsed)
  await say(START, answer('warm'))
  const before = held()
  for (let at = 0; at < TEXTS; at++) await say(answer(`${at}`.padEnd(TEXT_CHARS, 'x')))
  expect(await store.heads()).toHaveLength(TEXTS + 2)
  await expect
    .poll(() => held() - before, { timeout: SAVED_WITHIN_MS })
    .toBeLessThan((TEXTS * TEXT_CHARS) / 4)
  expect(texts(await wholeOf(store)).join('')).toHaveLength('warm'.length + TEXTS * TEXT_CHARS)
  await store.close()
})

test('a message reads alike before and after it is saved, and after a restart', async () => {
  const { kept, say, openStore } = await durableTeam()
  const store = await openStore()
  await say(START, hello('One'), answer('Two\u2028lines'))
  const unsaved = JSON.stringify(await wholeOf(store))
  await saved(kept, 'lines')
  await store.close()
  const next = await openStore()
  expect(JSON.stringify(await wholeOf(next))).toBe(unsaved)
  await next.close()
})

test('a file that is deleted while its store is open is written anew with all that was said', async () => {
  const kept = file()
  await documentsAfter(kept, START, hello('Before'))
  // The words of the first log are in the file alone.
  const { say, openStore, faults } = await durableTeam(kept, 'memory:')
  const store = await openStore()
  await say(START, hello('Between'))
  await saved(kept, 'Between')
  rmSync(kept)
  await say(hello('After'))
  expect(texts(await wholeOf(store))).toEqual(['Before', 'Between', 'After'])
  await store.close()
  expect(faults).toHaveLength(1)
  const { documents } = await documentsAfter(kept)
  expect(texts(documents)).toEqual(['Before', 'Between', 'After'])
})

test('what a store finds in another place of its file, as another server writes it too, comes from the log', async () => {
  const { kept, say, openStore } = await durableTeam()
  const store = await openStore()
  await say(START, hello('Hello'), answer('Here.'))
  await saved(kept, 'Here.')
  const expected = await wholeOf(store)
  const bytes = readFileSync(kept)
  truncateSync(kept)
  appendFileSync(kept, Buffer.concat([Buffer.from('{"seq":0,"epoch":"other"}\n'), bytes]))
  expect(await wholeOf(store)).toEqual(expected)
  await store.close()
})

test('a last line that a crash cut from its end is no beginning of the next', async () => {
  const { kept, say, faults, openStore } = await durableTeam()
  const store = await openStore()
  await say(START, hello('Hello'))
  await store.close()
  writeFileSync(kept, readFileSync(kept, 'utf8').trimEnd())
  const second = await openStore()
  expect(faults).toHaveLength(1)
  await say(hello('Again'))
  await second.close()
  const third = await openStore()
  expect(texts(await wholeOf(third))).toEqual(['Hello', 'Again'])
  expect(faults).toHaveLength(1)
  await third.close()
})
