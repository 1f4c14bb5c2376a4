import { candidatesOf } from './benchmark.ts'
import type { Benchmark, Figures } from './benchmark.ts'

const ROUNDS = 15
const WARM_UPS_MIN = 3
/** The clock of a thread may advance in steps of several milliseconds; a sample is many of them. */
const SAMPLE_NANOSECONDS = 100e6

type Run = () => number | Promise<number>

interface Contestant {
  readonly name: string
  readonly run: Run
  readonly repeats: number
  readonly yielded: number
  readonly samples: number[]
}

/**
 * Takes turns between all candidates, so that whatever else the machine does meets them all alike,
 * and counts only the time that the processor spent on this thread.
 */
export async function measure(benchmark: Benchmark): Promise<Figures> {
  const contestants: Contestant[] = []
  for (const { name, prepare } of candidatesOf(benchmark)) {
    contestants.push({ name, samples: [], ...(await warmUp(prepare())) })
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { run, repeats, samples } of contestants) {
      const { nanoseconds } = await time(run, repeats)
      samples.push(nanoseconds / repeats / benchmark.units)
    }
  }
  const ours = contestants[0]?.samples ?? []
  return new Map(
    contestants.map(({ name, yielded, samples }) => {
      // Within one round: a minute in which the machine is slow must not decide who is faster.
      const timesOurs = median(samples.map((sample, round) => sample / (ours[round] ?? Number.NaN)))
      return [name, { nanosecondsPerUnit: median(samples), timesOurs, yielded }]
    }),
  )
}

async function warmUp(run: Run): Promise<Pick<Contestant, 'run' | 'repeats' | 'yielded'>> {
  let repeats = 1
  let warmUp = await time(run, repeats)
  for (let times = 1; times < WARM_UPS_MIN || warmUp.nanoseconds < SAMPLE_NANOSECONDS; times++) {
    if (warmUp.nanoseconds < SAMPLE_NANOSECONDS) repeats *= 2
    warmUp = await time(run, repeats)
  }
  return { run, repeats, yielded: warmUp.yielded }
}

async function time(run: Run, repeats: number): Promise<{ nanoseconds: number; yielded: number }> {
  // A full collection would throw away code whose objects are all gone, and measure compiling it.
  globalThis.gc?.({ type: 'minor' })
  let yielded = 0
  const start = process.threadCpuUsage()
  for (let repeat = 0; repeat < repeats; repeat++) {
    const result = run()
    // Awaiting a number would cost more than some of the runs.
    yielded = typeof result === 'number' ? result : await result
  }
  const { user, system } = process.threadCpuUsage(start)
  return { nanoseconds: (user + system) * 1000, yielded }
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
