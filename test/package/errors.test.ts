import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

interface ErrorClass {
  readonly name: string
  readonly file: string
}

/** Classes of rooms that the front door does not load, or whose calls it does not make. */
const OF_ONE_DOOR = new Set([
  'AguiClientError',
  'AguiError',
  'AuthenticateError',
  'ClientError',
  'PatchError',
  'ProblemError',
  'ProgramError',
  'UnknownKeyError',
  'WireError',
])

const { consumer } = inject('packed')
const installed = join(consumer, 'node_modules/throughline')
const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly default: string }>>
}

function errorClasses(): readonly ErrorClass[] {
  const listed = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' }).split('\n')
  const sources = listed.filter(
    (file) => file !== '' && !/\.(?:test|fixture)\.ts$|\/scripted-cli\//.test(file),
  )
  return sources.flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(/^export class (\w+) extends \w*Error\b/gm)
    return Array.from(found, ([, name = '']) => ({ name, file }))
  })
}

/** The names that a door of the package exports. */
function namesOf(door: string): ReadonlySet<string> {
  const text = readFileSync(join(installed, door), 'utf8')
  const lists = [...text.matchAll(/^export \{(.*?)\}/gms)].map(([, list = '']) => list)
  return new Set(
    lists.flatMap((list) => list.split(',').map((each) => each.trim().split(' ').at(-1) ?? '')),
  )
}

test('every class of errors is exported by a door', () => {
  const doors = Object.values(exports).map((door) => namesOf(door.default))
  const hidden = errorClasses().filter(({ name }) => !doors.some((names) => names.has(name)))
  expect(hidden).toEqual([])
})

test('throughline exports every class of errors that its own calls can throw', () => {
  const front = namesOf(exports['.']?.default ?? '')
  const named = errorClasses().filter(({ name }) => name.endsWith('Error'))
  const missing = named.filter(({ name }) => !front.has(name) && !OF_ONE_DOOR.has(name))
  expect(named.length).toBeGreaterThan(OF_ONE_DOOR.size)
  expect(missing).toEqual([])
})
