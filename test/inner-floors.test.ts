import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

type Imports = ReadonlyMap<string, ReadonlySet<string>>

const listed = execFileSync('git', ['ls-files', '--cached', 'src'], { encoding: 'utf8' })
const modules = listed
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture|test-d|contract)\.tsx?$/.test(file))
  // A door lists what its whole room has.
  .filter((file) => !file.endsWith('/index.ts'))

/** The folders of one room that each of its folders imports. */
function importsIn(room: string): Imports {
  const found = new Map<string, Set<string>>()
  for (const file of modules.filter((each) => each.startsWith(`${room}/`))) {
    const folder = dirname(file)
    const imported = found.get(folder) ?? new Set<string>()
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const target = dirname(join(folder, path))
      if (target !== folder && `${target}/`.startsWith(`${room}/`)) imported.add(target)
    }
    found.set(folder, imported)
  }
  return found
}

/** The folders that are left once each that imports none of the others has been taken away. */
function foldersInCircles(imports: Imports): readonly string[] {
  let left = [...imports.keys()]
  for (;;) {
    const above = left.filter((folder) => left.some((other) => imports.get(folder)?.has(other)))
    if (above.length === left.length) return left
    left = above
  }
}

test('inside a room, folders import each other in one direction', () => {
  const rooms = new Set(modules.map((file) => file.split('/').slice(0, 2).join('/')))
  const crowded = [...rooms].filter((room) => importsIn(room).size > 1)
  expect(crowded).toContain('src/agents')
  expect(crowded.flatMap((room) => foldersInCircles(importsIn(room)))).toEqual([])
})

test('a circle of folders is found, and a folder that only leads into it too', () => {
  const circle = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c', 'low'])],
    ['c', new Set(['a'])],
    ['low', new Set<string>()],
  ])
  expect(foldersInCircles(circle)).toEqual(['a', 'b', 'c'])
})

test('no database of the storage room imports the other one', () => {
  const imports = importsIn('src/storage')
  const [sqlite, postgres] = ['src/storage/sqlite', 'src/storage/postgres']
  expect(imports.get(sqlite)?.has(postgres)).toBe(false)
  expect(imports.get(postgres)?.has(sqlite)).toBe(false)
})
