import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { threadIndexContract } from '../../log/index.ts'
import type { LogError } from '../../log/index.ts'
import { freshPath } from '../sqlite-folder.fixture.ts'
import { ThreadIndexFile, openThreadIndex } from './thread-index.ts'

const fail = (error: LogError): never => {
  throw error
}

for (const { name, run } of threadIndexContract(() => new ThreadIndexFile(freshPath(), fail))) {
  test(name, run)
}

test('a thread index keeps its threads when it is closed and opened again', async () => {
  const path = freshPath()
  const before = new ThreadIndexFile(path, fail)
  const state = { generation: 'g', position: '1' }
  await before.begin('g')
  await before.put(state, [{ thread: 't', head: 0, values: { status: 'open' } }])
  before.close()
  const after = new ThreadIndexFile(path, fail)
  expect(await after.load()).toEqual(state)
  const found = await after.list('g', { where: { status: ['open'] }, limit: 10 })
  expect(found).toEqual([{ thread: 't', head: 0, rank: 1, values: { status: 'open' } }])
  after.close()
})

test('a damaged thread index is begun anew, and a closed one holds nothing', async () => {
  const path = freshPath()
  writeFileSync(path, 'no database, but long enough to be taken for one'.repeat(100))
  const faults: string[] = []
  const index = new ThreadIndexFile(path, ({ code }) => void faults.push(code))
  expect(faults).toEqual(['corrupt'])
  expect(await index.load()).toBeUndefined()
  await index.begin('g')
  expect(await index.load()).toEqual({ generation: 'g', position: '' })
  index.close()
  expect(await index.put({ generation: 'g', position: '1' }, [])).toBe(false)
  expect(await index.list('g', { limit: 1 })).toBeUndefined()
})

test('only a log in a file has a thread index beside it', () => {
  expect(openThreadIndex('memory:')).toBeUndefined()
  const index = openThreadIndex(`sqlite:${freshPath()}`)
  expect(index).toBeInstanceOf(ThreadIndexFile)
  index?.close()
})
