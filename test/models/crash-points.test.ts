import { expect, test } from 'vitest'
import { MemoryLog } from 'throughline/log'
import { runTwoTurns } from '../programs/two-turns.fixture.ts'
import { faultsAfter, seedCase } from './crash-points.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'

async function seededLog(): Promise<MemoryLog> {
  const log = memoryLog()
  await seedCase(log)
  return log
}

/** Runs the turns until a point that they never leave: of a process that is gone nothing goes on. */
async function runUntil(
  log: MemoryLog,
  world: string[],
  fatal: number,
): Promise<readonly string[]> {
  const passed: string[] = []
  const died = Promise.withResolvers<void>()
  const turns = runTwoTurns({
    log,
    at: async (point) => {
      passed.push(point)
      if (passed.length < fatal) return
      died.resolve()
      await new Promise(() => undefined)
    },
    outside: (asked) => void world.push(asked),
  })
  await Promise.race([turns, died.promise])
  return passed
}

test('[M7] cut off at every labelled point of a turn, it ends once and does nothing in the world twice', async ({
  annotate,
}) => {
  const points = await runUntil(await seededLog(), [], Number.POSITIVE_INFINITY)
  const broken: string[] = []
  for (const [at, point] of points.entries()) {
    const [log, world]: [MemoryLog, string[]] = [await seededLog(), []]
    await runUntil(log, world, at + 1)
    await runUntil(log, world, Number.POSITIVE_INFINITY)
    broken.push(...(await faultsAfter(log, world)).map((fault) => `${point}: ${fault}`))
  }
  expect(broken).toEqual([])
  expect(points.length).toBeGreaterThan(30)
  await annotate(
    `cut off at ${points.length} points: ${broken.length} runs without exactly one end, or effects done twice`,
    'promise',
  )
})
