import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programArguments } from '../program.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

const HISTORIES = timesInTier({ quick: 160, full: 50_000 })
const PROCESSES = 2
const RUN_MAX_MS = timesInTier({ quick: 120_000, full: 5_400_000 })
const OUTPUT_MAX = 100_000_000

interface Printed {
  readonly broken: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly digests: readonly string[]
}

async function liveHistories(seed: number, histories: number): Promise<Printed> {
  const args = [...programArguments('live-histories'), `${seed}`, `${histories}`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: OUTPUT_MAX })
  return JSON.parse(stdout) as Printed
}

test(
  `[D14] in ${HISTORIES} histories of kills, pauses, lost answers and wrong clocks two servers break no promise`,
  async ({ annotate }) => {
    const share = HISTORIES / PROCESSES
    const seeds = Array.from({ length: PROCESSES }, (_, index) => 1 + index * share)
    const all = await Promise.all(seeds.map((seed) => liveHistories(seed, share)))
    expect(all.flatMap(({ broken }) => broken)).toEqual([])
    const sum = (what: string) => all.reduce((total, { counts }) => total + (counts[what] ?? 0), 0)
    // Histories in which nothing happens would break nothing either.
    for (const what of ['kills', 'pauses', 'cuts', 'noted', 'charged', 'lapsed'])
      expect(sum(what), what).toBeGreaterThan(HISTORIES / 10)
    const told = ['kills', 'pauses', 'cuts', 'records'].map((what) => `${sum(what)} ${what}`)
    await annotate(`${HISTORIES} histories: 0 promises broken; ${told.join(', ')}`, 'promise')
  },
  RUN_MAX_MS,
)

test('[D14] a seed repeats its history byte for byte', async ({ annotate }) => {
  const [first, second] = await Promise.all([liveHistories(7, 5), liveHistories(7, 5)])
  expect(second?.digests).toEqual(first?.digests)
  expect(new Set(first?.digests).size).toBe(5)
  await annotate('5 of 5 histories the same in a second process', 'promise')
}, 60_000)
