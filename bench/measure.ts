import { candidatesOf } from './benchmark.ts'
import type { Benchmark, Figures, Run } from './benchmark.ts'

const ROUNDS = 15
/** Where a round takes longer than a moment, and where runs say themselves what they cost. */
const ROUNDS_LONG = 5
const MOMENT_NANOSECONDS = 2e9
const WARM_UPS_MIN = 3
/** The clock of a thread may advance in steps of several milliseconds; a sample is many of them. */
const SAMPLE_NANOSECONDS = 100e6

interface Contestant {
  readonly name: string
  readonly run: Run
  readonly repeats: number
  readonly yielded: number
  readonly samples: number[]
}

/** What a number of runs took together. */
interface Sample {
  readonly cost: number
  readonly yielded: number
  /** Whether the run itself said what it cost. */
  readonly told: boolean
}

/**
 * Takes turns between all candidates, so that whatever else the machine does meets them all alike,
 * and counts only the time that the processor spent on this thread, unless a run says what it cost.
 */
export async function measure(benchmark: Benchmark): Promise<Figures> {
  const contestants: Contestant[] = []
  let roundTook = 0
  for (const { name, prepare } of candidatesOf(benchmark)) {
    const { took, ...ready } = await warmUp(await prepare())
    roundTook += took
    contestants.push({ name, samples: [], ...ready })
  }
  const rounds = roundTook > MOMENT_NANOSECONDS ? ROUNDS_LONG : ROUNDS
  for (let round = 0; round < rounds; round++) {
    for (const { run, repeats, samples } of contestants) {
      const { cost } = await sample(run, repeats)
      samples.push(cost / repeats / benchmark.units)
    }
  }
  const ours = contestants[0]?.samples ?? []
  return new Map(
    contestants.map(({ name, yielded, samples }) => {
      // Within one round: a minute in which the machine is slow must not decide who is faster.
      const timesOurs = median(samples.map((sample, round) => sample / (ours[round] ?? Number.NaN)))
      return [name, { costPerUnit: median(samples), timesOurs, yielded }]
    }),
  )
}

interface WarmUp extends Omit<Contestant, 'name' | 'samples'> {
  /** What a sample takes of it; for ever, where a run says itself what it costs. */
  readonly took: number
}

async function warmUp(run: Run): Promise<WarmUp> {
  let repeats = 1
  let last = await sample(run, repeats)
  if (last.told) return { run, repeats, yielded: last.yielded, took: Number.POSITIVE_INFINITY }
  const enough = (times: number) =>
    last.cost >= MOMENT_NANOSECONDS / 4 ||
    (times >= WARM_UPS_MIN && last.cost >= SAMPLE_NANOSECONDS)
  for (let times = 1; !enough(times); times++) {
    if (last.cost < SAMPLE_NANOSECONDS) repeats *= 2
    last = await sample(run, repeats)
  }
  return { run, repeats, yielded: last.yielded, took: last.cost }
}

async function sample(run: Run, repeats: number): Promise<Sample> {
  // A full collection would throw away code whose objects are all gone, and measure compiling it.
  globalThis.gc?.({ type: 'minor' })
  let yielded = 0
  let cost: number | undefined
  const start = process.threadCpuUsage()
  for (let repeat = 0; repeat < repeats; repeat++) {
    const given = run()
    // Awaiting a number would cost more than some of the runs.
    const result = typeof given === 'number' ? given : await given
    if (typeof result === 'number') yielded = result
    else ({ yielded, cost } = result)
  }
  const { user, system } = process.threadCpuUsage(start)
  return { cost: cost ?? (user + system) * 1000, yielded, told: cost !== undefined }
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
