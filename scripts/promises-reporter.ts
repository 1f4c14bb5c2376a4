import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, release, totalmem, type } from 'node:os'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { readFigures, writeFigures } from './figures.ts'
import type { Figure } from './figures.ts'
import { idsIn, writePromises } from './write-promises.ts'

const BYTES_PER_GIB = 2 ** 30

/** Prints what the tests of a run have measured of our promises, and writes it into docs/promises.{json,md}. */
// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter's default export
export default class PromisesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const now = modules.flatMap(figuresOf)
    for (const { id, file, figure } of now) console.log(`measured: [${id}] ${figure} (${file})`)
    const former = readFigures()
    const kept = former.figures.filter(({ id, file }) => {
      return existsSync(file) && !now.some((figure) => figure.id === id && figure.file === file)
    })
    const run = nameOfRun()
    const machines = former.machines.filter((machine) => machine.run !== run)
    writeFigures({
      figures: [...kept, ...now.map((figure) => ({ ...figure, run }))],
      machines: [...machines, { run, machine: machine() }],
    })
    writePromises()
  }
}

type Found = Pick<Figure, 'id' | 'file' | 'figure'>

/** Returns one figure for each promise of a test file, of the tests that counted something. */
function figuresOf(module: TestModule): readonly Found[] {
  const file = relative('.', module.moduleId)
  const said = [...module.children.allTests()].flatMap(promisesOf)
  const counted = said.filter(({ figure }) => figure !== '')
  return [...Map.groupBy(counted, ({ id }) => id)].map(([id, found]) => {
    return { id, file, figure: found.map(({ figure }) => figure).join('; ') }
  })
}

/** Returns what a test that ran counted, for each promise in its title. */
function promisesOf(test: TestCase): readonly Pick<Figure, 'id' | 'figure'>[] {
  const { state } = test.result()
  if (state === 'skipped' || state === 'pending') return []
  const said = test
    .annotations()
    .filter((annotation) => annotation.type === 'promise')
    .map(({ message }) => message)
  const figure = state === 'failed' ? `FAILED: ${test.fullName}` : said.join('; ')
  return [...idsIn(test.fullName)].map((id) => ({ id, figure }))
}

function nameOfRun(): string {
  const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const changed = git('status', '--porcelain')
    .split('\n')
    .some((line) => line !== '' && !/ docs\/promises\.(md|json)$/.test(line))
  return `${day} ${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`
}

function machine(): string {
  const memory = `${Math.round(totalmem() / BYTES_PER_GIB)} GiB`
  return `${availableParallelism()} cores, ${memory}, Node ${process.version}, ${type()} ${release()}`
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trimEnd()
}
