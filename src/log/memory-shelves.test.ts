import { expect, test } from 'vitest'
import { ShelvedCursors, UNSAVED_THREADS_MAX } from './cursors.ts'
import { LogError } from './log-error.ts'
import { MemoryShelves } from './memory-shelves.ts'
import { ThreadIndex } from './thread-index.ts'
import { shelvesContract } from './shelves.contract.ts'
import { threadIndexContract } from './thread-index.contract.ts'

for (const { name, run } of shelvesContract(() => new MemoryShelves())) test(name, run)
for (const { name, run } of threadIndexContract(() => new ThreadIndex(new MemoryShelves()))) {
  test(name, run)
}

const WORK = 'work'

test('cursors keep a position with its rows, those that are due first in front', async () => {
  const cursors = new ShelvedCursors(new MemoryShelves())
  expect(await cursors.load(WORK)).toBeUndefined()
  await cursors.save(WORK, '1', [
    { thread: 'later', dueAt: 5.5 },
    { thread: 'first', dueAt: 1 },
  ])
  expect(await cursors.open(WORK)).toEqual([
    { thread: 'first', dueAt: 1 },
    { thread: 'later', dueAt: 5 },
  ])
  await cursors.save(WORK, '2', [{ thread: 'first', dueAt: undefined }])
  await cursors.save('worker', '9', [{ thread: 'other', dueAt: 0 }])
  expect(await cursors.load(WORK)).toBe('2')
  expect(await cursors.open(WORK)).toEqual([{ thread: 'later', dueAt: 5 }])
})

test('a position that names no place replaces whatever another instance has saved', async () => {
  const shelves = new MemoryShelves()
  const [one, other] = [new ShelvedCursors(shelves), new ShelvedCursors(shelves)]
  await one.save(WORK, '1 9-0123456789abcdef', [])
  await other.save(WORK, '1 3-0123456789abcdef', [])
  expect(await one.load(WORK)).toBe('1 3-0123456789abcdef')
})

test('rows that were not saved go with the next save, until there are too many', async () => {
  const shelves = new MemoryShelves()
  const update = shelves.update.bind(shelves)
  let isFull = true
  const failing = Object.assign(shelves, {
    update: (...given: Parameters<typeof update>) => {
      if (isFull) throw new LogError('storage_full', 'Cannot write on the shelves: full')
      return update(...given)
    },
  })
  const faults: string[] = []
  const cursors = new ShelvedCursors(failing, ({ code }) => void faults.push(code))
  await cursors.save(WORK, '1', [{ thread: 'a', dueAt: 1 }])
  expect(faults).toEqual(['storage_full'])
  isFull = false
  await cursors.save(WORK, '2', [{ thread: 'b', dueAt: 2 }])
  expect(await cursors.open(WORK)).toHaveLength(2)
  const many = Array.from({ length: UNSAVED_THREADS_MAX + 1 }, (_, n) => `${n}`)
  await cursors.save(
    WORK,
    '3',
    many.map((thread) => ({ thread, dueAt: 0 })),
  )
  expect(await cursors.load(WORK)).toBe('2')
})
