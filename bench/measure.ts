import { candidatesOf } from './benchmark.ts'
import type { Benchmark, Figures, Run } from './benchmark.ts'

const ROUNDS = 15
/** Where a round takes longer than a moment, and where runs say themselves what they cost. */
const ROUNDS_LONG = 5
const MOMENT_NANOSECONDS = 2e9
const WARM_UPS_MIN = 3
/** Every candidate works this long before it is measured, so that none is compiled better. */
const WARM_UP_NANOSECONDS = 500e6
/** Two versions of one engine differ by less than what is compiled late: both work this long before. */
export const COMPARED_WARM_UP_NANOSECONDS = 8_000e6
/** The clock of a thread may advance in steps of several milliseconds; a sample is many of them. */
const SAMPLE_NANOSECONDS = 100e6

interface Contestant {
  readonly name: string
  readonly run: Run
  readonly repeats: number
  readonly yielded: number
  readonly costs: number[]
  readonly others: number[]
  /** What one sample takes; infinite for a run that reports its own cost. */
  readonly took: number
}

/** What a number of runs took together. */
interface Sample {
  readonly cost: number
  /** Wall time, or the processor time of the whole process if the run reported its own cost. */
  readonly other: number
  readonly yielded: number
  /** Whether the run reported its own cost. */
  readonly told: boolean
}

/**
 * Takes turns between all candidates, so that whatever else the machine does meets them all alike,
 * and counts only the time that the processor spent on this thread, unless a run returns its cost.
 */
export async function measure(
  benchmark: Benchmark,
  warmUpNanoseconds = WARM_UP_NANOSECONDS,
): Promise<Figures> {
  const contestants: Contestant[] = []
  let roundTook = 0
  for (const { name, prepare } of candidatesOf(benchmark)) {
    const ready = await warmUp(await prepare(), warmUpNanoseconds)
    roundTook += ready.took
    contestants.push({ name, costs: [], others: [], ...ready })
  }
  const rounds = roundTook > MOMENT_NANOSECONDS ? ROUNDS_LONG : ROUNDS
  for (let round = 0; round < rounds; round++) {
    for (const { run, repeats, costs, others } of contestants) {
      const { cost, other } = await sample(run, repeats)
      costs.push(cost / repeats / benchmark.units)
      others.push(other / repeats)
    }
  }
  const ours = contestants[0]
  return new Map(
    contestants.map(({ name, yielded, costs, others, took }) => [
      name,
      {
        costPerUnit: median(costs),
        timesOurs: ratio(costs, ours?.costs ?? []),
        timesOursRange: range(costs, ours?.costs ?? []),
        otherClock: {
          name: took === Number.POSITIVE_INFINITY ? 'CPU' : 'wall',
          timesOurs: ratio(others, ours?.others ?? []),
        },
        yielded,
      },
    ]),
  )
}

/** The median of the ratios within each round: a slow minute of the machine meets both sides. */
function ratio(samples: readonly number[], ours: readonly number[]): number {
  return median(ratios(samples, ours))
}

/** From the fifth to the four fifths of the ratios. */
function range(samples: readonly number[], ours: readonly number[]): readonly [number, number] {
  const sorted = ratios(samples, ours).toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return [at(0.2), at(0.8)]
}

function ratios(samples: readonly number[], ours: readonly number[]): readonly number[] {
  return samples.map((sample, round) => sample / (ours[round] ?? Number.NaN))
}

type WarmUp = Omit<Contestant, 'name' | 'costs' | 'others'>

async function warmUp(run: Run, nanosecondsMin: number): Promise<WarmUp> {
  let repeats = 1
  let last = await sample(run, repeats)
  if (last.told) return { run, repeats, yielded: last.yielded, took: Number.POSITIVE_INFINITY }
  let worked = last.cost
  const enough = (times: number) =>
    worked >= nanosecondsMin && times >= WARM_UPS_MIN && last.cost >= SAMPLE_NANOSECONDS
  for (let times = 1; !enough(times); times++) {
    if (last.cost < SAMPLE_NANOSECONDS) repeats *= 2
    last = await sample(run, repeats)
    worked += last.cost
  }
  return { run, repeats, yielded: last.yielded, took: last.cost }
}

async function sample(run: Run, repeats: number): Promise<Sample> {
  // A full collection would throw away code whose objects are all gone, and measure compiling it.
  globalThis.gc?.({ type: 'minor' })
  let yielded = 0
  let cost: number | undefined
  const begun = process.hrtime.bigint()
  const processStart = process.cpuUsage()
  const start = process.threadCpuUsage()
  for (let repeat = 0; repeat < repeats; repeat++) {
    const given = run()
    // Awaiting a number would cost more than some of the runs.
    const result = typeof given === 'number' ? given : await given
    if (typeof result === 'number') yielded = result
    else ({ yielded, cost } = result)
  }
  const onThread = nanoseconds(process.threadCpuUsage(start))
  if (cost === undefined) {
    const wall = Number(process.hrtime.bigint() - begun)
    return { cost: onThread, other: wall, yielded, told: false }
  }
  return { cost, other: nanoseconds(process.cpuUsage(processStart)), yielded, told: true }
}

function nanoseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) * 1_000
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
