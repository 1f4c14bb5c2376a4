import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from './figures.ts'
import { digestOfTest } from './test-digest.ts'

/** A figure that was measured longer ago is stale. */
export const AGE_MAX_COMMITS = 40
export const UNKNOWN_IN_SHALLOW_CLONE = 'unknown, because the clone is shallow'

export interface Age {
  /** For the page: "12 commits". */
  readonly age: string
  /** Why the figure has to be measured again. */
  readonly stale?: string
}

/** Returns a function that says how old a figure is in a checkout. */
export function figureAges(checkout: string): (figure: Figure) => Age {
  const ages = new Map<string, Age>()
  return (figure) => {
    const { commit } = figure
    const age = ages.get(commit) ?? commitAge(checkout, commit)
    ages.set(commit, age)
    const stale = changeSince(checkout, figure) ?? age.stale
    return stale === undefined ? age : { age: age.age, stale }
  }
}

function commitAge(checkout: string, commit: string): Age {
  const count = git(checkout, 'rev-list', '--count', `${commit}..HEAD`)
  if (count !== undefined && git(checkout, 'merge-base', '--is-ancestor', commit, 'HEAD') === '') {
    const commits = Number(count)
    const age = commits === 1 ? '1 commit' : `${commits} commits`
    return commits > AGE_MAX_COMMITS
      ? { age, stale: `it is ${age} old, at most ${AGE_MAX_COMMITS} are allowed` }
      : { age }
  }
  if (git(checkout, 'rev-parse', '--is-shallow-repository') !== 'false') {
    return { age: UNKNOWN_IN_SHALLOW_CLONE }
  }
  return { age: 'unknown', stale: `its commit ${commit} is not in the history` }
}

function changeSince(checkout: string, { id, file, figure, digest }: Figure): string | undefined {
  const path = join(checkout, file)
  if (!existsSync(path)) return 'its test is gone'
  const source = readFileSync(path, 'utf8')
  if (!source.includes(`[${id}]`)) return `no title in its test names ${id}`
  if (figure.includes('FAILED: ')) return 'its test failed'
  return digestOfTest(file, source) === digest ? undefined : 'its test has changed'
}

/** Returns undefined when git fails, for example because it does not know the commit. */
function git(cwd: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}
