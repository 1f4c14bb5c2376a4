import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const sources = files.filter((file) => /\.(ts|tsx)$/.test(file))
const pages = files.filter((file) => file.endsWith('.md'))
const read = (file: string) => readFileSync(file, 'utf8')

test('no file is named for being a leftover: put the thing beside its only real owner', () => {
  const leftover = /(^|\/)(utils?|helpers?|common|misc|shared|types|constants)(\/|\.tsx?$)/
  expect(sources.filter((file) => leftover.test(file))).toEqual([])
})

test('every door says what its room is for: begin index.ts with @module', () => {
  const doors = sources.filter((file) => file.endsWith('/index.ts'))
  expect(doors.filter((file) => !/^\/\*\*[^]*?@module[^]*?\*\//.test(read(file)))).toEqual([])
})

test('doors list what they export: no export *', () => {
  expect(sources.filter((file) => /^export \*/m.test(read(file)))).toEqual([])
})

test('no banner comments: a new section is a new file or function', () => {
  expect(sources.filter((file) => /^\s*(\/\/|\/?\*)\s*[-=*#]{4,}/m.test(read(file)))).toEqual([])
})

test('no notes to self: finish it, or name the missing part in the docs', () => {
  const note = new RegExp(
    ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].map((word) => `\\b${word}\\b`).join('|'),
  )
  expect(sources.filter((file) => note.test(read(file)))).toEqual([])
})

test('no module is replaced in a test: hand in a real small implementation', () => {
  const mock = 'vi.' + 'mock('
  expect(sources.filter((file) => read(file).includes(mock))).toEqual([])
})

test('the chance of a test comes from newSeed and chance, so that a failure prints its seed', () => {
  const ofTests = sources.filter((file) =>
    /\.(test|fixture|fake|arbitrary|oracle)\.tsx?$/.test(file),
  )
  const unrepeatable = new RegExp(`${'Math' + '.random'}\\(|Date\\.now\\(\\) %`)
  const fixtures = ['test/chance.fixture.ts', 'src/fuzz/loans.fixture.ts']
  const others = ofTests.filter((file) => !fixtures.includes(file))
  expect(others.filter((file) => unrepeatable.test(read(file)))).toEqual([])
})

test('no style sheet is longer than 250 lines: split it by component', () => {
  const sheets = files.filter((file) => file.endsWith('.css'))
  const long = sheets.filter((file) => read(file).split('\n').length > 251)
  expect(sheets.length).toBeGreaterThan(20)
  expect(long).toEqual([])
})

test('links between pages lead somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('the counts at the top of docs/seeds.md are those of its rows', () => {
  const page = read('docs/seeds.md')
  const rows = [...page.matchAll(/^\| ([A-E])\d{3} \| (\w+) \|/gm)]
  const counts = [...page.matchAll(/^\| (shown|built|differs|later) \| .+? \|([\d| ]+)\|$/gm)]
  const counted = (status = '') =>
    ['A', 'B', 'C', 'D', 'E', ''].map(
      (seed) => rows.filter(([, of = '', is]) => of.startsWith(seed) && is === status).length,
    )

  expect(counts).toHaveLength(4)
  for (const [, status, cells = ''] of counts) {
    expect([status, cells.split('|').map(Number)]).toEqual([status, counted(status)])
  }
})

test('every requirement has one row in docs/seeds.md', () => {
  const ids = [...read('docs/seeds.md').matchAll(/^\| ([A-E]\d{3}) \|/gm)].map(([, id = '']) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every title that docs/seeds.md quotes is in the file beside it', () => {
  const quoted = [
    ...read('docs/seeds.md').matchAll(
      /`([^`\s]+\.(?:test|contract|fixture)\.tsx?)`: ([^|`]+?) *[;|]/g,
    ),
  ]
  const lost = quoted.filter(
    ([, file = '', titles = '']) =>
      !titles.split('; ').every((title) => read(file).replaceAll("\\'", "'").includes(title)),
  )
  expect(quoted.length).toBeGreaterThan(0)
  expect(lost.map(([whole]) => whole)).toEqual([])
})

test('every requirement in docs/seeds.md that names a test names one that exists', () => {
  const titles = new Set(
    sources
      .filter((file) => /\.(test|contract|fixture)\.tsx?$/.test(file))
      .flatMap((file) => [...read(file).matchAll(/\[([A-E]\d{3})\]/g)].map(([, id = '']) => id)),
  )
  const rows = [...read('docs/seeds.md').matchAll(/^\| ([A-E]\d{3}) \| (\w+) \|/gm)]
  const claimed = rows.filter(([, , status]) => status === 'shown').map(([, id = '']) => id)
  expect(claimed.length).toBeGreaterThan(0)
  expect(claimed.filter((id) => !titles.has(id))).toEqual([])
})

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
/** Links and the project itself have no version that a registry gave them. */
const locked = Object.entries(lock.packages).filter(([place]) => place !== '')

test('npm ci verifies every package: one without integrity has to be installed again', () => {
  const unverified = locked.filter(([, { version, integrity }]) => version && !integrity)
  expect(unverified.map(([place]) => place)).toEqual([])
})

test('npm ci works on every platform: take versions whose binaries the registry all has', () => {
  const missing = locked.flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => {
      const places = [`${owner}/node_modules/${name}`, `node_modules/${name}`]
      return !places.some((place) => place in lock.packages)
    }),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry: set omit-lockfile-registry-resolved', () => {
  const named = locked.filter(([, { resolved = '' }]) => resolved.includes('://'))
  expect(named.map(([place]) => place)).toEqual([])
})
