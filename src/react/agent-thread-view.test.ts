import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LogRecord } from '../log/index.ts'
import type { RunNode, RunTree } from '../activity/index.ts'
import { anyEvent, stored } from '../agents/any-history.fixture.ts'
import { Builder, shapeOf } from '../agents/any-tree.fixture.ts'
import { withAgents } from '../agents/runs.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { AgentThreadView } from './index.ts'
import type { AgentThread } from './index.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const RUNS = timesInTier({ quick: 20, full: 500 })

function folded(records: readonly LogRecord[], depth?: number): AgentThread {
  const view = new AgentThreadView(depth)
  for (const record of records) view.take(record)
  return view.view()
}

/** Two turns of random agents; questions are answered up to three times and then given up. */
async function recordsOfAny(
  shape: Parameters<Builder['build']>[0],
  approved: boolean,
): Promise<readonly LogRecord[]> {
  const { ask, resume, runs, log } = withAgents([new Builder().build(shape)])
  let turn = ask('Go')
  for (let round = 0; ; round++) {
    const { reason, waits, run } = await turn.result
    if (reason !== 'interrupt') break
    if (round === 3) {
      await runs.cancel('t')
      break
    }
    turn = resume(run, Object.fromEntries(waits.map(({ id }) => [id, { approved }])))
  }
  await ask('And now?').result
  return recordsOf(log, 't')
}

const allRuns = ({ turns }: RunTree): readonly RunNode[] =>
  turns.flatMap(({ runs }) => runs.flatMap(withBelow))
const withBelow = (run: RunNode): readonly RunNode[] => [
  run,
  ...run.items.flatMap((item) => (item.kind === 'tool' ? item.runs.flatMap(withBelow) : [])),
]

/** Folds with a look after each record, and holds each look against the records before it. */
function expectSameWhereverCut(records: readonly LogRecord[], cuts: readonly number[]): void {
  const view = new AgentThreadView()
  const looks = [view.view()]
  for (const record of records) {
    view.take(record)
    looks.push(view.view())
  }
  for (const cut of cuts.map((each) => each % (records.length + 1))) {
    expect(looks[cut]).toEqual(folded(records.slice(0, cut)))
  }
  expect(looks.at(-1)).toEqual(folded(records))
}

test(
  '[C021] any history of agents, cut anywhere, gives the tree of its records, and a look never changes',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        shapeOf(3),
        fc.boolean(),
        fc.array(fc.nat(500), { minLength: 4, maxLength: 4 }),
        async (shape, approved, cuts) => {
          const records = await recordsOfAny(shape, approved)
          expectSameWhereverCut(records, cuts)
          const { tree, usage, questions } = folded(records)
          expect(tree.turns).toHaveLength(2)
          const waiting = tree.turns.flatMap(({ runs }) =>
            runs.filter(({ state }) => state.status === 'waiting').map(({ run }) => run),
          )
          expect(questions.map(({ run }) => run)).toEqual(waiting)
          const calls = allRuns(tree).reduce((sum, run) => sum + run.usage.calls, 0)
          expect(calls).toBe(usage.total.calls)
        },
      ),
      { numRuns: RUNS },
    )
  },
  20_000 * RUNS,
)

test('hostile records, cut anywhere, give the same tree too', () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 24 }),
      fc.array(fc.nat(60), { maxLength: 4 }),
      (events, cuts) => expectSameWhereverCut(stored(events.flat()), cuts),
    ),
  )
})

test('[C021] a token changes its own run and the turn around it, and nothing else', async () => {
  const records = await recordsOfAny(
    { steps: [[{ kind: 'tool', how: 'gives' }]], ends: 'says', next: undefined },
    true,
  )
  const view = new AgentThreadView()
  let tokens = 0
  for (const record of records) {
    const before = view.view()
    view.take(record)
    const after = view.view()
    if (record.type !== 'TEXT_MESSAGE_CONTENT' || record.origin.source !== 'model') continue
    tokens++
    expect(after.usage).toBe(before.usage)
    expect(after.questions).toBe(before.questions)
    expect(after.tree.turns.slice(0, -1)).toSatisfy((turns: RunTree['turns']) =>
      turns.every((turn, at) => turn === before.tree.turns[at]),
    )
    const [was, is] = [before, after].map(({ tree }) => tree.turns.at(-1)?.runs.at(-1)?.items ?? [])
    const others = is?.filter((item) => item.kind === 'tool') ?? []
    expect(others.every((item) => was?.includes(item))).toBe(true)
  }
  expect(tokens).toBeGreaterThan(1)
})

test('[C020] a depth leaves out the runs below it, and what they used still counts', async () => {
  const below = { steps: [], ends: 'says', next: undefined } as const
  const records = await recordsOfAny(
    { steps: [[{ kind: 'agent', shape: below }]], ends: 'says', next: undefined },
    true,
  )
  const [whole, shallow] = [folded(records), folded(records, 0)]
  expect(allRuns(whole.tree).map(({ depth }) => depth)).toContain(1)
  expect(allRuns(shallow.tree).every(({ depth }) => depth === 0)).toBe(true)
  expect(shallow.usage).toEqual(whole.usage)
})

test('[E2] a reset begins the view anew, and says that earlier records are missing', async () => {
  const records = await recordsOfAny(
    { steps: [[{ kind: 'tool', how: 'asks' }]], ends: 'says', next: undefined },
    true,
  )
  const view = new AgentThreadView()
  const asking = records.findIndex((record) => {
    view.take(record)
    return view.view().questions.length > 0
  })
  const empty = new AgentThreadView().view()
  view.reset({}, -1)
  expect(view.view()).toEqual(empty)
  view.reset({}, asking)
  expect(view.view()).toEqual({ ...empty, origin: 'restored' })
  const later = records.slice(asking).find(({ type }) => type === 'STEP_STARTED')
  if (later) view.take(later)
  expect(view.view().questions).toEqual([])
  expect(view.view().tree.turns).toHaveLength(1)
})
