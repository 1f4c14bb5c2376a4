import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../folders.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment } from '../server-process.fixture.ts'

/** None of them is written in a program. */
const VALUES = Array.from({ length: 60 }, (_, n) => `zebra${n}quux`)

/** How many of the values are in the memory of a process that erased the thread with them, or kept it. */
function leftInMemory(what: 'erase' | 'keep'): number {
  const folder = newFolder()
  const [path, values, snapshot] = ['log.db', 'values', 'heap.heapsnapshot'].map((name) =>
    join(folder, name),
  )
  writeFileSync(values ?? '', VALUES.join(' '))
  const program = ['--expose-gc', ...programArguments('erase-and-look')]
  const args = [...program, path ?? '', values ?? '', snapshot ?? '', what]
  const { status } = spawnSync(process.execPath, args, { env: bareEnvironment() })
  expect(status).toBe(0)
  const found = readFileSync(snapshot ?? '', 'latin1').match(/zebra\d+quux/gi) ?? []
  return new Set(found.map((each) => each.toLowerCase())).size
}

test('[L4] a second after an erasure no value of the person is in the memory of the server', async ({
  annotate,
}) => {
  expect(leftInMemory('keep')).toBe(VALUES.length)
  const left = leftInMemory('erase')
  expect(left).toBe(0)
  await annotate(`${left} of ${VALUES.length} values in the heap of the process`, 'promise')
}, 60_000)
