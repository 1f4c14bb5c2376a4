import type { App } from '../application/index.ts'
import { unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { appsIn, watchImpurity } from '../replay/index.ts'
import { findingOf, keyOf } from './finding.ts'
import type { Finding, Seen } from './finding.ts'
import { FuzzError } from './fuzz-error.ts'
import { HostileWorld } from './hostile-world.ts'
import type { Covered } from './hostile-world.ts'
import type { Check } from './schema-values.ts'
import { FuzzSteps } from './steps.ts'
import type { Step } from './step.ts'

/** Findings of one report: the runs end with them. */
export const FINDINGS_MAX = 20
export const FUZZ_RUNS_DEFAULT = 200
export const FUZZ_RUNS_MAX = 1_000_000
/** How long runs and the search for the shortest steps of one finding may take together. */
export const FUZZ_TIME_MAX_MS = 120_000

export interface FuzzOptions {
  readonly runs?: number
  /** The same seed makes the same runs of the same application. */
  readonly seed?: number
  /** Records of stored threads, each from the first on: runs begin in states that chance does not reach. */
  readonly from?: readonly (readonly LogRecord[])[]
  /** Told after each run. */
  readonly onRun?: (run: number) => void
}

export interface FuzzReport {
  readonly seed: number
  readonly runs: number
  readonly proposals: number
  readonly findings: readonly Finding[]
  /** Event types that models have had accepted, each with its surface. */
  readonly ofModels: readonly string[]
  /** What no run has reached: types that were never accepted, rules that never fired, effects that were never due. */
  readonly never: {
    readonly accepted: readonly string[]
    readonly fired: readonly string[]
    readonly due: readonly string[]
  }
}

/**
 * Lets a hostile model and random people loose on an application, in memory, with outputs made from its declarations:
 * tags of every type, split, quoted and echoed, calls of its tools, deadlines. Reports what was accepted beyond
 * authority, which `invariants` of the domain broke, which rules do not come to rest, which functions throw or read the clock, each
 * with the shortest steps that show it. Tools and effects do no work; it needs the package `fast-check`.
 *
 * @throws {@link FuzzError} `invalid_fuzz`, `missing_package`
 * @example
 * const { findings } = await fuzz(app)
 * expect(findings).toEqual([])
 */
export async function fuzz(app: object, options: FuzzOptions = {}): Promise<FuzzReport> {
  const [given] = appsIn({ app })
  requireOptions(given, options)
  const { runs = FUZZ_RUNS_DEFAULT, seed = Date.now() % 2 ** 31, from = [], onRun } = options
  const fc = await fastCheck()
  const watch = watchImpurity()
  try {
    const fuzzing = new Fuzzing(fc, given as App, { watch, onRun, stored: from })
    await fuzzing.search(runs, seed)
    return fuzzing.report(seed)
  } finally {
    watch.end()
  }
}

interface FuzzingParts {
  readonly watch: ReturnType<typeof watchImpurity>
  readonly onRun: FuzzOptions['onRun']
  readonly stored: NonNullable<FuzzOptions['from']>
}

class Fuzzing {
  readonly #fc: Check
  readonly #app: App
  readonly #parts: FuzzingParts
  readonly #findings = new Map<string, Finding>()
  readonly #covered: Covered = {
    accepted: new Set(),
    ofModels: new Set(),
    fired: new Set(),
    due: new Set(),
    proposals: 0,
  }
  #runs = 0

  constructor(fc: Check, app: App, parts: FuzzingParts) {
    this.#fc = fc
    this.#app = app
    this.#parts = parts
  }

  /** Each finding ends a search, so that its steps can be made as few as show it; the next goes on without it. */
  async search(runs: number, seed: number): Promise<void> {
    const { asyncProperty, check } = this.#fc
    const until = performance.now() + FUZZ_TIME_MAX_MS
    const property = asyncProperty(
      new FuzzSteps(this.#fc, this.#app, this.#parts.stored.length).run,
      async (steps) => {
        return (await this.#newIn(steps)) === undefined
      },
    )
    while (this.#runs < runs && this.#findings.size < FINDINGS_MAX) {
      const left = until - performance.now()
      if (left <= 0) return
      const { counterexample, numRuns } = await check(property, {
        seed: seed + this.#runs,
        numRuns: runs - this.#runs,
        interruptAfterTimeLimit: left,
      })
      this.#runs += Math.max(1, numRuns)
      if (!counterexample) return
      const [steps] = counterexample
      const seen = await this.#newIn(steps)
      if (seen) this.#findings.set(keyOf(seen), findingOf(seen, steps))
    }
  }

  report(seed: number): FuzzReport {
    const { accepted, ofModels, fired, due, proposals } = this.#covered
    const { domain } = this.#app
    const without = (names: Iterable<string>, reached: ReadonlySet<string>) =>
      [...names].filter((name) => !reached.has(name))
    return {
      seed,
      runs: this.#runs,
      proposals,
      findings: [...this.#findings.values()],
      ofModels: [...ofModels].toSorted(),
      never: {
        accepted: without(domain.events.keys(), accepted),
        fired: without(
          domain.rules.map(({ name }) => name),
          fired,
        ),
        due: without(
          domain.effects.map(({ name }) => name),
          due,
        ),
      },
    }
  }

  /** Takes steps in a world of their own. Returns the first thing that is seen there and not in the report. */
  async #newIn(steps: readonly Step[]): Promise<Seen | undefined> {
    const { onRun, ...parts } = this.#parts
    const world = new HostileWorld({ app: this.#app, covered: this.#covered, ...parts })
    try {
      await world.begin(steps[0])
      for (const step of steps) {
        await world.take(step)
        const seen = world.seen.find((each) => !this.#findings.has(keyOf(each)))
        if (seen) return seen
      }
      return undefined
    } finally {
      await world.end()
      onRun?.(this.#runs)
    }
  }
}

const OPTIONS: KnownMembers<FuzzOptions> = { runs: true, seed: true, from: true, onRun: true }

/** A program without types may give anything. */
function requireOptions(app: App | undefined, { runs = 1, ...options }: FuzzOptions): void {
  const isCount = Number.isSafeInteger(runs) && runs >= 1 && runs <= FUZZ_RUNS_MAX
  const why =
    (app === undefined ? 'it is no application; give what `defineApp` returned' : undefined) ??
    unknownMember(options, OPTIONS) ??
    (isCount ? undefined : `\`runs\` is a whole number from 1 to ${FUZZ_RUNS_MAX}`)
  if (why !== undefined) throw new FuzzError('invalid_fuzz', `Cannot fuzz: ${why}`)
}

async function fastCheck(): Promise<Check> {
  try {
    return await import('fast-check')
  } catch (cause) {
    const mend = 'install it: npm install --save-dev fast-check'
    throw new FuzzError('missing_package', `Cannot fuzz without the package fast-check; ${mend}`, {
      cause,
    })
  }
}
