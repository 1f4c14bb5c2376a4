import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { applyEdit } from './mutants.ts'
import type { Mutant } from './mutants.ts'

const TEST_RUN_MAX_MS = 600_000
/** A load shows within a minute what a mutant makes it leave behind. */
const LOAD_MINUTES = '1'
const REPORT = 'test/.output/report.json'

export interface RunTest {
  readonly title: string
  readonly failure: string | undefined
}

export interface TestRun {
  readonly tests: readonly RunTest[]
  /** Why a file of tests could not be run at all. */
  readonly broken: readonly string[]
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** The checkout with its uncommitted work, in a folder of its own. */
export class CheckoutCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'throughline-mutants-'))
  readonly #checkout: string

  constructor(checkout: string) {
    this.#checkout = resolve(checkout)
    const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const files = execFileSync('git', listed, { cwd: this.#checkout, encoding: 'utf8' }).split('\0')
    for (const file of files) {
      const from = join(this.#checkout, file)
      if (file !== '' && existsSync(from)) cpSync(from, join(this.folder, file))
    }
    symlinkSync(join(this.#checkout, 'node_modules'), join(this.folder, 'node_modules'))
    // Tests that list the files of the checkout need a repository.
    execFileSync('git', ['init', '--quiet'], { cwd: this.folder, stdio: 'ignore' })
  }

  /** Breaks the copy. Throws, and changes nothing, when a text does not match exactly once. */
  apply({ name, edits }: Mutant): void {
    const broken = new Map<string, string>()
    for (const edit of edits) {
      const text = broken.get(edit.file) ?? readFileSync(join(this.#checkout, edit.file), 'utf8')
      broken.set(edit.file, applyEdit(name, edit, text))
    }
    for (const [file, text] of broken) writeFileSync(join(this.folder, file), text)
  }

  revert({ edits }: Mutant): void {
    for (const { file } of edits) cpSync(join(this.#checkout, file), join(this.folder, file))
  }

  /** Returns the first edited file that is not valid TypeScript. */
  invalidFile({ edits }: Mutant): string | undefined {
    return edits
      .map(({ file }) => file)
      .filter((file) => file.endsWith('.ts'))
      .find((file) => {
        try {
          stripTypeScriptTypes(readFileSync(join(this.folder, file), 'utf8'))
          return false
        } catch {
          return true
        }
      })
  }

  /** Runs the tests of the given files whose titles carry a promise. */
  async run(promise: string, files: readonly string[]): Promise<TestRun> {
    const report = join(this.folder, REPORT)
    rmSync(report, { force: true })
    const full = files.some((file) => file.endsWith('.full.test.ts'))
    const inBrowser = files.every((file) => file.startsWith('test/browser/'))
    const vitest = 'node_modules/vitest/vitest.mjs run --bail 1 --reporter json'
    const child = spawn(
      process.execPath,
      [
        ...vitest.split(' '),
        `--project=${inBrowser ? 'surfaces' : 'floors'}`,
        `--outputFile=${report}`,
        `--testNamePattern=\\[${promise}\\]`,
        ...files,
      ],
      {
        cwd: this.folder,
        stdio: 'ignore',
        // A group of its own, so that what the tests started ends with them.
        detached: true,
        env: full ? { LOAD_MINUTES, ...process.env, THROUGHLINE_TIER: 'full' } : process.env,
      },
    )
    const end = () => endGroup(child.pid)
    const timer = setTimeout(end, TEST_RUN_MAX_MS)
    process.once('exit', end)
    await once(child, 'exit')
    clearTimeout(timer)
    process.off('exit', end)
    end()
    if (!existsSync(report)) return { tests: [], broken: ['the run wrote no report'] }
    return readReport(JSON.parse(readFileSync(report, 'utf8')) as JsonReport)
  }

  remove(): void {
    // A process that was just killed may still be writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

function readReport({ testResults }: JsonReport): TestRun {
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
  const tests = ran.map(({ fullName, status, failureMessages: [said = ''] }) => ({
    title: fullName,
    failure: status === 'failed' ? firstLine(said) : undefined,
  }))
  // A file that was not run any more after the first failure has failed too, without a word.
  const broken = testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .flatMap(({ message }) => (message === '' ? [] : [firstLine(message)]))
  return { tests, broken }
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''
