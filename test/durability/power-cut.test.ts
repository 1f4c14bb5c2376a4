import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { Disk } from './disk.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { brokenPromise } from './promises.fixture.ts'
import { straceWorks, traceProgram } from './syscalls.fixture.ts'
import type { Syscall } from './syscalls.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { programArguments } from '../program.fixture.ts'

const CUTS = timesInTier({ quick: 20, full: 300 })
const CARELESS_CUTS = timesInTier({ quick: 20, full: 75 })
/** The write-ahead log begins anew with a session; in a full run also within one. */
const SESSIONS = 2
const ROUNDS = timesInTier({ quick: 45, full: 90 })

/** These files need not last, so writes need not wait for a disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const careless = fileURLToPath(new URL('./synchronous-normal.ts', import.meta.url))
const random = chance(newSeed())

/** Appends for a while under strace and cuts the power at several points: returns the lost records. */
async function lossesAfterCuts(count: number, env: Readonly<Record<string, string>>) {
  const folder = dirname(freshPath())
  const args = [
    ...programArguments('append-for-a-while'),
    join(folder, 'log.db'),
    `${SESSIONS}`,
    `${ROUNDS}`,
  ]
  const calls = traceProgram(args, { folder, env })
  const cuts = Array.from({ length: count }, () => Math.floor(random() * calls.length))
  const losses: string[] = []
  const disk = new Disk(folder)
  const said: string[] = []
  let at = 0
  for (const cut of cuts.toSorted((one, other) => one - other)) {
    for (; at < cut; at++) apply(calls[at], disk, said)
    const share = random() * 1.4 - 0.2
    const loss = await lossIn(
      disk.afterPowerCut(() => random() < share),
      said,
    )
    if (loss !== undefined) losses.push(`cut ${cut} of ${calls.length}: ${loss}`)
  }
  return losses
}

function apply(call: Syscall | undefined, disk: Disk, said: string[]): void {
  if (call?.kind === 'said') said.push(...call.text.trimEnd().split('\n'))
  else if (call) disk.apply(call)
}

/** Puts the folder where it can be read, and looks there for the acknowledged records. */
async function lossIn(image: ReadonlyMap<string, Buffer>, said: readonly string[]) {
  const folder = mkdtempSync(join(MEMORY, 'throughline-cut-'))
  try {
    for (const [name, bytes] of image) writeFileSync(join(folder, name), bytes)
    return await brokenPromise(join(folder, 'log.db'), said)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.runIf(straceWorks())(
  `[D2] nothing acknowledged is lost at ${CUTS} power cuts`,
  async ({ annotate }) => {
    const losses = await lossesAfterCuts(CUTS, {})
    expect(losses).toEqual([])
    await annotate(`acknowledged events lost at ${losses.length} of ${CUTS} cuts`, 'promise')
  },
  120_000,
)

test.runIf(straceWorks())(
  '[D2] the same cuts take from a writer that syncs only now and then',
  async ({ annotate }) => {
    const cuts = CARELESS_CUTS
    const losses = await lossesAfterCuts(cuts, { NODE_OPTIONS: `--import=${careless}` })
    expect(losses.length).toBeGreaterThan(cuts / 4)
    const where = `at ${losses.length} of ${cuts} cuts`
    await annotate(`with synchronous=NORMAL, acknowledged events lost ${where}`, 'promise')
  },
  120_000,
)
