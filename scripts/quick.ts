import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Checks what differs from `main`, for work in hand: all types, lint and format of the changed files, and
 * the tests of their rooms. Browser tests run only where the test itself changed.
 */
function quick(): void {
  const changed = changedFiles()
  if (changed.length === 0) return console.log('Nothing differs from main')
  const code = changed.filter((file) => /\.tsx?$/.test(file))
  run('tsc', ['-b'])
  if (code.length > 0) run('oxlint', ['--type-aware', '--deny-warnings', ...code])
  run('oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed])
  const tests = testsOf(changed)
  if (tests.length > 0) run('vitest', ['run', '--passWithNoTests', ...tests])
}

function changedFiles(): readonly string[] {
  const base = git('merge-base', 'main', 'HEAD')[0] ?? 'main'
  const files = [
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(files)].filter((file) => existsSync(file))
}

function testsOf(files: readonly string[]): readonly string[] {
  const places = files.flatMap((file) => {
    if (/\.test\.tsx?$/.test(file)) return [file]
    const [, room] = /^((?:src|apps|examples)\/[^/]+|scripts|bench)\//.exec(file) ?? []
    if (room !== undefined) return [`${room}/`]
    return file.endsWith('.md') ? ['test/docs.test.ts', 'test/tidy.test.ts'] : []
  })
  return [...new Set(places)]
}

function git(...args: readonly string[]): readonly string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

quick()
