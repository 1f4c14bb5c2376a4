import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, release, totalmem, type } from 'node:os'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { readMutants } from './mutants.ts'
import { readPage, writePage } from './promises-page.ts'
import type { Measurement, Page } from './promises-page.ts'
import { PROMISES } from './promises.ts'

const PAGE = 'docs/promises.md'
const NO_PAGE: Page = { measurements: [], machines: [] }
const BYTES_PER_GIB = 2 ** 30

/** Writes what the tests of a run have measured of our promises into docs/promises.md. */
// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter's default export
export default class PromisesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const run = nameOfRun()
    const ran = modules.flatMap((module) => {
      const file = relative('.', module.moduleId)
      return [...module.children.allTests()].flatMap((test) => promisesOf(test, file))
    })
    const former = existsSync(PAGE) ? readPage(readFileSync(PAGE, 'utf8')) : NO_PAGE
    const kept = former.measurements.filter(({ id, file }) => {
      return existsSync(file) && !ran.some((now) => now.id === id && now.file === file)
    })
    const page = {
      measurements: [...kept, ...ran.reduce(joined, []).map((found) => ({ ...found, run }))],
      machines: [
        ...former.machines.filter((machine) => machine.run !== run),
        { run, machine: machine() },
      ],
    }
    const mutants = readMutants('.')
    const titles = titledFiles()
    const shown = {
      promises: PROMISES,
      filesOf: (id: string) => titles.filter(({ ids }) => ids.has(id)).map(({ file }) => file),
      mutantsOf: (id: string) =>
        mutants.filter(({ promise }) => promise === id).map(({ name }) => name),
    }
    writeFileSync(PAGE, writePage(page, shown))
  }
}

type Found = Omit<Measurement, 'run'>

/** What a test that ran says of the promises in its title; an empty figure, if it says nothing. */
function promisesOf(test: TestCase, file: string): readonly Found[] {
  const { state } = test.result()
  if (state === 'skipped' || state === 'pending') return []
  const said = test
    .annotations()
    .filter((annotation) => annotation.type === 'promise')
    .map(({ message }) => message)
  const figure = state === 'failed' ? `FAILED: ${test.fullName}` : said.join('; ')
  return [...idsIn(test.fullName)].map((id) => ({ id, file, figure }))
}

/** One measurement per promise and file, of the tests that said something. */
function joined(all: readonly Found[], { id, file, figure }: Found): Found[] {
  const same = all.find((other) => other.id === id && other.file === file)
  if (figure === '') return [...all]
  if (!same) return [...all, { id, file, figure }]
  const both = { id, file, figure: `${same.figure}; ${figure}` }
  return all.map((other) => (other === same ? both : other))
}

const idsIn = (text: string) =>
  new Set([...text.matchAll(/\[([A-Z]\d{1,2})\]/g)].map(([, id = '']) => id))

function titledFiles() {
  const tests = git('ls-files', '--cached', '--others', '--exclude-standard')
    .split('\n')
    .filter((file) => /\.(test|contract)\.tsx?$/.test(file) && existsSync(file))
  return tests.toSorted().map((file) => ({ file, ids: idsIn(readFileSync(file, 'utf8')) }))
}

function nameOfRun(): string {
  const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const changed = git('status', '--porcelain')
    .split('\n')
    .some((line) => line !== '' && !line.endsWith(` ${PAGE}`))
  return `${day} ${git('rev-parse', '--short', 'HEAD').trim()}${changed ? '+' : ''}`
}

function machine(): string {
  const memory = `${Math.round(totalmem() / BYTES_PER_GIB)} GiB`
  return `${availableParallelism()} cores, ${memory}, Node ${process.version}, ${type()} ${release()}`
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' })
}
