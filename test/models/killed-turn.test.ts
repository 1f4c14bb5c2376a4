import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { openLog } from 'throughline/log'
import { recordsOf } from '../../src/storage/sqlite-folder.fixture.ts'
import { chance } from '../chance.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { THREAD, runErrand, runNextTurn } from '../programs/errand-turn.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { errandFaults, expectedAnswer } from './errand-faults.fixture.ts'

/** A child runs on a processor of its own. */
const AT_ONCE = 2
const POINTS = timesInTier({ quick: 3, full: Number.POSITIVE_INFINITY })
/** Each so many turns are killed in their recovery too. */
const KILLED_AGAIN_EACH = timesInTier({ quick: 3, full: 2 })
const RECOVERY_POINTS_MAX = 24
const REACHED = 0.8
const TURNS_TIMEOUT_MS = 600_000

interface Errands {
  readonly folder: string
  readonly how: 'finished' | 'cancelled'
}

const filesOf = ({ folder }: Errands, name: string) => ({
  path: join(folder, `${name}.db`),
  world: join(folder, `${name}.txt`),
})

/** Runs the turn in a process that kills itself at a point. Returns the points that it passed. */
async function runUntil(errands: Errands, name: string, point: number) {
  const { path, world } = filesOf(errands, name)
  const args = [...programArguments('errand-until-point'), path, world, `${point}`, errands.how]
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, args, { env: bareEnvironment(), stdio })
  const ended = Promise.withResolvers<'SIGKILL' | number>()
  child.once('close', (code, signal) => ended.resolve(signal === 'SIGKILL' ? signal : (code ?? -1)))
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) printed += String(chunk)
  return { points: printed.trim().split('\n'), end: await ended.promise }
}

/** Recovers in this process, asks twice under the same key and then for another turn. Returns the faults. */
async function faultsOfNextStart(errands: Errands, name: string): Promise<readonly string[]> {
  const { path, world } = filesOf(errands, name)
  const log = await openLog(`sqlite:${path}`)
  const { shelves, cursors } = besideLog(path)
  const outside = (line: string): void => appendFileSync(world, `${line}\n`)
  const at = async (): Promise<void> => undefined
  const isCancelled = errands.how === 'cancelled'
  const scene = { log, cursors, at, outside, isCancelled }
  const faults: string[] = []
  const expected = expectedAnswer(await recordsOf(log, THREAD), isCancelled)
  for (const time of ['first', 'second']) {
    const { reason } = await runErrand(scene)
    if (reason !== expected) faults.push(`the ${time} answer is ${reason}, not ${expected}`)
  }
  const next = await runNextTurn(scene)
  if (next.reason !== 'success') faults.push(`the next turn is ${next.reason}`)
  faults.push(...(await errandFaults(log, readFileSync(world, 'utf8').trim().split('\n'))))
  await shelves.close()
  await log.close()
  return faults
}

/** Kills the turn at a point, and perhaps its recovery. Returns the faults after the next start. */
async function killAt(errands: Errands, point: number, again?: number) {
  const name = `${errands.how}-${point}`
  writeFileSync(filesOf(errands, name).world, '')
  const first = await runUntil(errands, name, point)
  const killedAt = first.end === 'SIGKILL' ? [first.points.at(-1) ?? ''] : []
  if (again !== undefined) {
    const second = await runUntil(errands, name, again)
    if (second.end === 'SIGKILL') killedAt.push(`recovery: ${second.points.at(-1)}`)
    else expect(second.end).toBe(0)
  }
  const faults = await faultsOfNextStart(errands, name)
  return { killedAt, faults: faults.map((fault) => `${killedAt.join(', then ')}: ${fault}`) }
}

/** As many of the points as the tier takes, spread over all of them. */
function pointsToKill(count: number): readonly number[] {
  const taken = Math.min(POINTS, count)
  return Array.from({ length: taken }, (_, at) => 1 + Math.floor(((at + 0.5) * count) / taken))
}

test.for(['finished', 'cancelled'] as const)(
  '[M7] a turn that is %s, killed by SIGKILL at labelled points, ends once and does nothing twice',
  { timeout: TURNS_TIMEOUT_MS },
  async (how, { annotate }) => {
    const errands: Errands = { folder: newFolder(), how }
    const random = chance(7)
    const whole = await runUntil(errands, 'whole', 0)
    expect(whole.end).toBe(0)
    expect(whole.points.length).toBeGreaterThan(25)
    const rest = pointsToKill(whole.points.length).map((point, at) => ({
      point,
      again:
        at % KILLED_AGAIN_EACH === 0 ? 1 + Math.floor(random() * RECOVERY_POINTS_MAX) : undefined,
    }))
    const done: Awaited<ReturnType<typeof killAt>>[] = []
    const work = async (): Promise<void> => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        done.push(await killAt(errands, next.point, next.again))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const broken = done.flatMap(({ faults }) => faults)
    expect(broken).toEqual([])
    const killedAt = done.flatMap((each) => each.killedAt)
    // The number of appends goes by the clock, so the last points may not come.
    expect(killedAt.length).toBeGreaterThan(done.length * REACHED)
    await annotate(
      `killed by SIGKILL ${killedAt.length} times at ${new Set(killedAt).size} labelled points of a turn ` +
        `that is ${how}: ${broken.length} records lost, runs without exactly one end, or calls made twice`,
      'promise',
    )
  },
)
