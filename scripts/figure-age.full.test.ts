import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { newFolder } from '../test/folders.fixture.ts'
import { AGE_MAX_COMMITS, UNKNOWN_IN_SHALLOW_CLONE, figureAges } from './figure-age.ts'
import type { Figure } from './figures.ts'
import { PROMISES } from './promises.ts'
import { digestOfTest } from './test-digest.ts'

const FILE = 'test/roof.test.ts'
const IDS = PROMISES.filter(({ tier }) => tier !== 'later').map(({ id }) => id)
const SOURCE = `test('${IDS.map((id) => `[${id}]`).join(' ')} the roof holds', () => expect(7).toBe(7))\n`
const OLDEST = AGE_MAX_COMMITS + 5

let repository: string
/** The commits of the repository by age, the newest first. */
let commits: readonly string[]

beforeAll(() => {
  repository = newFolder()
  git('init', '--quiet', '--initial-branch=main')
  mkdirSync(join(repository, 'test'))
  mkdirSync(join(repository, 'docs'))
  writeTest(SOURCE)
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input: history() })
  commits = git('rev-list', 'HEAD').split('\n')
})

function git(...args: readonly string[]): string {
  const settings = ['user.name=Nobody', 'user.email=nobody@example.com', 'commit.gpgsign=false']
  const given = [...settings.flatMap((setting) => ['-c', setting]), ...args]
  return execFileSync('git', given, { cwd: repository, encoding: 'utf8' }).trim()
}

/** The commits in the words of `git fast-import`: the first one holds the test. */
function history(): string {
  const commit = 'commit refs/heads/main\ncommitter Nobody <nobody@example.com> 0 +0000\n'
  const test = `M 644 inline ${FILE}\ndata ${Buffer.byteLength(SOURCE)}\n${SOURCE}\n`
  const said = 'data 8\nA commit\n'
  return [`${commit}${said}${test}`, ...Array.from({ length: OLDEST }, () => commit + said)].join(
    '',
  )
}

function writeTest(source: string): void {
  writeFileSync(join(repository, FILE), source)
}

const digest = digestOfTest(FILE, SOURCE)

function figureAt(age: number, change: Partial<Figure> = {}): Figure {
  const [id = ''] = IDS
  return {
    id,
    file: FILE,
    figure: '0 drops',
    run: 'a',
    commit: commits[age] ?? '',
    digest,
    ...change,
  }
}

/** Runs the check of a release on a checkout in which every promise has the given figure. */
function checkRelease(checkout: string, figure: Figure, ids = IDS) {
  const figures = ids.map((id) => ({ ...figure, id }))
  mkdirSync(join(checkout, 'docs'), { recursive: true })
  writeFileSync(join(checkout, 'docs/promises.json'), JSON.stringify({ figures, machines: [] }))
  const script = resolve('scripts/check-figures.ts')
  const run = spawnSync(process.execPath, [script, '--release'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return { code: run.status, said: run.stdout }
}

const AGES = Array.from({ length: OLDEST + 1 }, (_, age) => age)

test(`[L14] a figure of more than ${AGE_MAX_COMMITS} commits is stale`, async ({ annotate }) => {
  const ageOf = figureAges(repository)
  const passed: number[] = []
  for (const age of AGES) {
    const found = ageOf(figureAt(age))
    expect(found.age).toBe(age === 1 ? '1 commit' : `${age} commits`)
    if (found.stale === undefined) passed.push(age)
  }
  const tooOld = AGES.filter((age) => age > AGE_MAX_COMMITS)
  expect(passed).toEqual(AGES.filter((age) => age <= AGE_MAX_COMMITS))
  const old = passed.filter((age) => tooOld.includes(age)).length
  await annotate(`${old} of ${tooOld.length} figures that are too old pass`, 'promise')
})

const TITLE_GONE = SOURCE.replaceAll(/\[\w+\]/g, '')
const CHANGED: readonly (readonly [string, string | undefined, string])[] = [
  ['expects something else', SOURCE.replace('toBe(7)', 'toBe(8)'), 'its test has changed'],
  ['expects nothing', SOURCE.replace('expect(7).toBe(7)', '{}'), 'its test has changed'],
  ['names no promise', TITLE_GONE, `no title in its test names ${IDS[0]}`],
  ['is gone', undefined, 'its test is gone'],
]

test('[L14] a figure is stale once its test has changed', async ({ annotate }) => {
  const ageOf = figureAges(repository)
  const found = CHANGED.map(([, source]) => {
    if (source === undefined) rmSync(join(repository, FILE))
    else writeTest(source)
    return ageOf(figureAt(0)).stale
  })
  writeTest(`// The roof.\n${SOURCE.replace('the roof holds', 'no drop comes through')}`)
  expect(ageOf(figureAt(0)).stale).toBeUndefined()
  writeTest(SOURCE)
  expect(found).toEqual(CHANGED.map(([, , why]) => why))
  expect(ageOf(figureAt(0, { figure: '0 drops; FAILED: [D1]' })).stale).toBe('its test failed')
  const passed = found.filter((stale) => stale === undefined).length
  await annotate(`${passed} of ${CHANGED.length} figures of changed tests pass`, 'promise')
})

test('[L14] the check of a release refuses stale and missing figures', async ({ annotate }) => {
  expect(checkRelease(repository, figureAt(AGE_MAX_COMMITS))).toMatchObject({ code: 0 })
  const old = checkRelease(repository, figureAt(AGE_MAX_COMMITS + 1))
  const missing = checkRelease(repository, figureAt(0), IDS.slice(1))
  writeTest(SOURCE.replace('toBe(7)', 'toBe(8)'))
  const changed = checkRelease(repository, figureAt(0))
  writeTest(SOURCE)
  expect([old.code, missing.code, changed.code]).toEqual([1, 1, 1])
  expect(old.said).toContain(
    `refused: ${IDS[0]} (${FILE}): it is 41 commits old, at most 40 are allowed`,
  )
  expect(missing.said).toContain(`refused: ${IDS[0]}: not measured`)
  expect(changed.said).toContain(`refused: ${IDS[0]} (${FILE}): its test has changed`)
  await annotate(`0 of 3 releases with stale or missing figures pass`, 'promise')
})

test('[L14] a shallow clone says that it does not know the age, and passes', () => {
  const clone = newFolder()
  const from = pathToFileURL(repository).href
  execFileSync('git', ['clone', '--quiet', '--depth', '5', from, clone], { stdio: 'ignore' })
  expect(figureAges(clone)(figureAt(2))).toEqual({ age: '2 commits' })
  expect(figureAges(clone)(figureAt(OLDEST))).toEqual({ age: UNKNOWN_IN_SHALLOW_CLONE })
  const { code, said } = checkRelease(clone, figureAt(OLDEST))
  expect(code).toBe(0)
  expect(said).toContain(
    `The age of ${IDS.length} figures is unknown, because the clone is shallow.`,
  )
})

test('[L14] a figure of a commit that is not in the history is stale', () => {
  const aside = git('commit-tree', '-m', 'Aside', git('rev-parse', 'HEAD^{tree}'))
  for (const commit of [aside, '0'.repeat(40)]) {
    expect(figureAges(repository)(figureAt(0, { commit }))).toEqual({
      age: 'unknown',
      stale: `its commit ${commit} is not in the history`,
    })
  }
})
