import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { besideLog } from '../../src/storage/shelves.fixture.ts'
import { openLog } from 'throughline/log'
import { chance } from '../chance.fixture.ts'
import { seedCase } from '../models/crash-points.fixture.ts'
import { bareEnvironment, emptyFolder } from '../server-process.fixture.ts'
import { faultsOfNextStart } from './killed-recovery.fixture.ts'

const KILLS = 200
const STARTS_KILLED = 3
const POINTS_OF_TWO_TURNS = 40
const POINTS_OF_A_RECOVERY = 14
const PROGRAMS = fileURLToPath(new URL('../programs', import.meta.url))

/** Runs a program until it kills itself at a point; false when it ends before. */
async function diesAt(program: string, path: string, point: number): Promise<boolean> {
  const args = ['--conditions=throughline-source', join(PROGRAMS, program)]
  const files = [`${path}.db`, `${path}.txt`, String(point)]
  const child = spawn(process.execPath, [...args, ...files], {
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal !== 'SIGKILL') expect(code).toBe(0)
  return signal === 'SIGKILL'
}

async function nextStart(path: string): Promise<readonly string[]> {
  const log = await openLog(`sqlite:${path}.db`)
  const { shelves } = besideLog(`${path}.db`)
  const before = (await readFile(`${path}.txt`, 'utf8')).trim().split('\n')
  const world = [...before]
  const scene = {
    log,
    shelves,
    at: async () => undefined,
    outside: (asked: string) => void world.push(asked),
  }
  const faults = await faultsOfNextStart(scene, world)
  await shelves.close()
  await log.close()
  return faults
}

test('[D12] killed three times running while it recovers, the fourth start finds all and repeats nothing', async ({
  annotate,
}) => {
  const folder = await emptyFolder()
  const seed = await openLog(`sqlite:${join(folder, 'seed.db')}`)
  await seedCase(seed)
  await seed.close()
  const random = chance(212)
  const upTo = (most: number): number => 1 + Math.floor(random() * most)
  const broken: string[] = []
  let kills = 0
  for (let sequence = 0; kills < KILLS; sequence++) {
    const path = join(folder, String(sequence))
    for (const end of ['', '.heads']) {
      await copyFile(join(folder, `seed.db${end}`), `${path}.db${end}`)
    }
    appendFileSync(`${path}.txt`, '')
    const crash = upTo(POINTS_OF_TWO_TURNS)
    await diesAt('turn-until-point.ts', path, crash)
    const points: number[] = []
    for (let point = upTo(POINTS_OF_A_RECOVERY); points.length < STARTS_KILLED;) {
      if (await diesAt('recover-until-point.ts', path, point)) points.push(point)
      else point = Math.ceil(point / 2)
    }
    kills += points.length
    const faults = await nextStart(path)
    broken.push(...faults.map((fault) => `${crash}, ${points.join()}: ${fault}`))
  }
  expect(broken).toEqual([])
  await annotate(
    `killed ${kills} times, three times running each: ` +
      `${broken.length} records lost, runs without exactly one end, or effects done twice`,
    'promise',
  )
}, 1_800_000)
