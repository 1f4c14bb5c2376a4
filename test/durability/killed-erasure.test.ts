import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { open } from 'throughline'
import { newFolder } from '../folders.fixture.ts'
import { PLANTED, plantedIn, visit, visitsApp } from '../../src/visits.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const REQUEST = { by: 'operator-7', why: 'asked by letter' }

test('[L4] an erasure that is killed between two of its writes is finished by the next start', async ({
  annotate,
}) => {
  const folder = newFolder()
  const made = join(folder, 'made')
  mkdirSync(made)
  const before = await opened(join(made, 'log.db'))
  await visit(before, 't')
  await before.close()
  const points = Number(eraseUntil(copyOf(made, folder, 0), 0).stdout)
  expect(points).toBeGreaterThanOrEqual(12)
  let [begun, left] = [0, 0]
  for (const point of spread(points)) {
    const path = copyOf(made, folder, point)
    expect(eraseUntil(path, point).signal).toBe('SIGKILL')
    const tl = await opened(path)
    const records = await recordsOf(tl.log, 't')
    if ((await tl.log.head('throughline-erasures')) >= 0) {
      begun++
      expect(records.at(-1)?.type).toBe('thread_erased')
      left += plantedIn(JSON.stringify(records)) + plantedInFiles(path)
    } else {
      expect(plantedIn(JSON.stringify(records))).toBe(PLANTED.length)
    }
    expect(await tl.erase('t', REQUEST)).toMatchObject(REQUEST)
    expect(await tl.verify('t')).toMatchObject({ ok: true })
    left += plantedInFiles(path)
    await tl.close()
    left += plantedInFiles(path)
  }
  expect(begun).toBeGreaterThan(0)
  expect(left).toBe(0)
  await annotate(`${left} of ${PLANTED.length} left at ${points} points`, 'promise')
})

const opened = (path: string) => open({ store: `sqlite:${path}`, apps: [visitsApp()] })

function plantedInFiles(path: string): number {
  const folder = dirname(path)
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  return plantedIn(texts.join('\n'))
}

function copyOf(made: string, folder: string, point: number): string {
  const copy = join(folder, `point-${point}`)
  cpSync(made, copy, { recursive: true })
  return join(copy, 'log.db')
}

function eraseUntil(path: string, point: number) {
  const args = [...programArguments('erase-until-point'), path, `${point}`]
  return spawnSync(process.execPath, args, { env: bareEnvironment(), encoding: 'utf8' })
}

/** Every point in the full tier, and a few that lie apart in every run. */
function spread(points: number): readonly number[] {
  const taken = timesInTier({ quick: 6, full: points })
  return Array.from({ length: taken }, (_, at) => 1 + Math.floor(((at + 0.5) * points) / taken))
}
