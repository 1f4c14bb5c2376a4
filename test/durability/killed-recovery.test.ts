import { expect, test } from 'vitest'
import { MemoryShelves } from 'throughline/log'
import { chance } from '../chance.fixture.ts'
import { seedCase } from '../models/crash-points.fixture.ts'
import { recoverOnce } from '../programs/recovery.fixture.ts'
import { runTwoTurns } from '../programs/two-turns.fixture.ts'
import type { Scene } from '../programs/two-turns.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { faultsOfNextStart } from './killed-recovery.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'

const STARTS_KILLED = 3
const POINTS_OF_A_RECOVERY = 14
const AT_RANDOM = timesInTier({ quick: 4, full: 60 })

type Crashed = Awaited<ReturnType<typeof crashedAt>>

async function crashedAt(point: number) {
  const log = memoryLog()
  const shelves = new MemoryShelves()
  await seedCase(log)
  const world: string[] = []
  const outside = (asked: string) => void world.push(asked)
  await cutOff(point, (at) => runTwoTurns({ log, at, outside }))
  return { log, shelves, world, outside }
}

/** The points of the two turns, in their order. */
async function pointsOfTwoTurns(): Promise<readonly string[]> {
  const log = memoryLog()
  await seedCase(log)
  const points: string[] = []
  const at = async (label: string): Promise<void> => void points.push(label)
  await runTwoTurns({ log, at, outside: () => undefined })
  return points
}

/** Lets something run until it passes its n-th point: of a process that is gone nothing goes on. */
async function cutOff(
  point: number,
  run: (at: Scene['at']) => Promise<unknown>,
): Promise<string | undefined> {
  const died = Promise.withResolvers<string>()
  let passed = 0
  const at = async (label: string): Promise<void> => {
    if (++passed < point) return
    died.resolve(label)
    await new Promise(() => undefined)
  }
  return Promise.race([run(at).then(() => undefined), died.promise])
}

/** Kills a start at a point, and the next two; one that ends before it comes there is started again. */
async function killThrice(crashed: Crashed, first: number): Promise<readonly string[]> {
  const killedAt: string[] = []
  for (let point = first; killedAt.length < STARTS_KILLED;) {
    const label = await cutOff(point, (at) => recoverOnce({ ...crashed, at }))
    if (label === undefined) point = Math.ceil(point / 2)
    else killedAt.push(label)
  }
  return killedAt
}

test('[D12] killed three times at every labelled point of a recovery, the fourth start finds all and repeats nothing', async ({
  annotate,
}) => {
  const random = chance(12)
  const broken: string[] = []
  const killedAt: string[] = []
  const points = await pointsOfTwoTurns()
  // The lenders have been asked, and nothing is recorded of it.
  const inTheEffect = points.indexOf('after the lender heard of it') + 1
  expect(inTheEffect).toBeGreaterThan(0)
  const places = [
    ...Array.from({ length: POINTS_OF_A_RECOVERY }, (_, index) => [inTheEffect, index + 1]),
    ...Array.from({ length: AT_RANDOM }, () => [
      1 + Math.floor(random() * points.length),
      1 + Math.floor(random() * POINTS_OF_A_RECOVERY),
    ]),
  ]
  for (const [crash = 1, point = 1] of places) {
    const crashed = await crashedAt(crash)
    killedAt.push(...(await killThrice(crashed, point)))
    const scene = { ...crashed, at: async () => undefined }
    const faults = await faultsOfNextStart(scene, crashed.world)
    broken.push(...faults.map((fault) => `${crash}, ${point}: ${fault}`))
    await crashed.shelves.close()
  }
  expect(broken).toEqual([])
  expect(killedAt.length).toBeGreaterThanOrEqual(40)
  expect(new Set(killedAt).size).toBeGreaterThanOrEqual(10)
  await annotate(
    `cut off ${killedAt.length} times at ${new Set(killedAt).size} labelled points of a recovery: ` +
      `${broken.length} records lost, runs without exactly one end, or effects done twice`,
    'promise',
  )
})
