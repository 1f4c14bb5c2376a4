import { replay } from 'throughline'
import { LogError } from '../../src/log/index.ts'
import { openLog } from 'throughline/log'
import { expect, test } from 'vitest'
import { domain } from '../../apps/broker/case/given-case.fixture.ts'
import { JOURNEY } from '../../apps/broker/case/journey.fixture.ts'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { GatedCase, hashOf } from './gated-case.fixture.ts'
import type { CaseCommit } from './gated-case.fixture.ts'

const ROUNDS = 20
const APPENDS = 50

const projectOf = (round: number, writer: number) => ({
  ...JOURNEY.project,
  data: { projectValue: 10_000 + 100 * round + writer, depositPct: 10 },
})

interface Written {
  readonly writer: number
  readonly outcome: CaseCommit | Error
}

/** Two gates on one log: neither knows what the other has let in. */
async function writeAtOnce(gates: readonly GatedCase[], round: number, expectedVersion: number) {
  const writers = Array.from({ length: APPENDS }, async (_, writer): Promise<Written> => {
    const gate = gates[writer % gates.length] ?? new GatedCase()
    const id = `00000000-0000-4000-8000-${String(round * APPENDS + writer).padStart(12, '0')}`
    const wanted = { expectedVersion, id }
    const outcome = await gate
      .commit(projectOf(round, writer), wanted)
      .catch((error: Error) => error)
    return { writer, outcome }
  })
  const written = await Promise.all(writers)
  const won = written.filter(({ outcome }) => !(outcome instanceof Error))
  const conflicts = written.filter(
    ({ outcome }) => outcome instanceof LogError && outcome.code === 'version_conflict',
  )
  return { won: won.map(({ writer }) => writer), conflicts: conflicts.length }
}

test(`[S4] of ${APPENDS} appends that expect one version, one wins and the state is that of the winners in a row`, async ({
  annotate,
}) => {
  const log = await openLog(`sqlite:${freshPath()}`)
  const gates = [new GatedCase(log), new GatedCase(log)]
  const alone = new GatedCase()
  for (const one of [gates[0], alone]) await one?.play([JOURNEY.create, JOURNEY.contact])
  let [wins, conflicts] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const at = await writeAtOnce(gates, round, await log.head('case-1'))
    expect({ round, wins: at.won.length, conflicts: at.conflicts }).toEqual({
      round,
      wins: 1,
      conflicts: APPENDS - 1,
    })
    for (const winner of at.won) await alone.commit(projectOf(round, winner))
    wins += at.won.length
    conflicts += at.conflicts
  }
  const [first, second] = await Promise.all(gates.map((gate) => gate.state()))
  expect(hashOf(first)).toBe(hashOf(second))
  const records = await gates[0]?.records()
  expect(records).toHaveLength(2 + ROUNDS)
  expect(hashOf(replay(domain, records ?? []))).toBe(hashOf(first))
  const serial = await alone.state()
  expect({ ...first?.case, updatedAt: '' }).toEqual({ ...serial.case, updatedAt: '' })
  await log.close()
  const said = `${ROUNDS} rounds of ${APPENDS} appends: ${wins} won, ${conflicts} conflicts`
  await annotate(`${said}, the state is that of the ${wins} in a row`, 'promise')
})
