import { expect, test } from 'vitest'
import { given } from '../domain/index.ts'
import { fuzz } from './index.ts'
import type { Finding } from './index.ts'
import { loansApp } from './loans.fixture.ts'
import type { Planted } from './loans.fixture.ts'

const SEED = 7

async function foundIn(planted: Planted, runs = 40) {
  const { findings } = await fuzz(loansApp(planted), { runs, seed: SEED })
  return findings
}

/** Runs the test of a finding, as somebody would who has pasted it. */
function runTest({ test: text = '' }: Finding, planted: Planted): void {
  // oxlint-disable-next-line typescript/no-implied-eval -- a pasted test is text until then
  const run = new Function('given', 'app', 'test', text) as (
    use: typeof given,
    app: ReturnType<typeof loansApp>,
    test: (title: string, body: () => void) => void,
  ) => void
  run(given, loansApp(planted), (_title, body) => body())
}

test('nothing is found in an application without faults, and every part of it is reached', async () => {
  const report = await fuzz(loansApp(), { runs: 100, seed: SEED })
  expect(report.findings).toEqual([])
  expect(report.never).toEqual({ accepted: [], fired: [], due: [] })
  expect(report.ofModels).toEqual(['asked on customer', 'lent on customer', 'noted on customer'])
  expect(report.runs).toBe(100)
})

test('a guard that lets an invariant break is found, with the shortest steps as a test that its mend passes', async () => {
  const findings = await foundIn({ overpays: true })
  expect(findings).toMatchObject([{ kind: 'invariant', part: 'invariant "neverOverpaid"' }])
  const [found] = findings
  // Asked, a call that waits, a person who agrees, paid.
  expect(found?.steps.length).toBeLessThanOrEqual(5)
  expect(() => found && runTest(found, { overpays: true })).toThrow('was accepted')
  expect(() => found && runTest(found, {})).not.toThrow()
})

test.each([
  [{ throws: true }, 'throws', 'what decides "noted"', "reading 'length'"],
  [{ loops: true }, 'rules', 'the rules after "paid"', 'no quiet after 16 rounds'],
  [{ readsClock: true }, 'impure', 'the reducer of "asked"', 'Date.now()'],
] as const)('a domain that %j is found', async (...[planted, kind, part, detail]) => {
  const findings = await foundIn(planted)
  expect(findings).toMatchObject([
    { kind, part, detail: expect.stringContaining(detail) as string },
  ])
})

test('the same seed makes the same report', async () => {
  const planted = { throws: true, readsClock: true }
  const [one, other] = [await foundIn(planted, 10), await foundIn(planted, 10)]
  expect(one).toEqual(other)
})

test('runs begin with stored threads, in states that chance does not reach', async () => {
  const app = loansApp({ overpays: true })
  const at = { v: 1, thread: 'l-1', prev: '', hash: '', ts: 5 }
  const ui = { source: 'ui', surface: 'customer', depth: 0 } as const
  const model = { source: 'model', surface: 'customer', agent: 'clerk', depth: 0 } as const
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
  const from = [
    [
      { ...at, seq: 0, id: id(0), type: 'asked', data: { pounds: 10 }, origin: ui },
      { ...at, seq: 1, id: id(1), type: 'lent', data: {}, origin: model },
    ],
  ]
  const { findings } = await fuzz(app, { runs: 20, seed: SEED, from })
  expect(findings).toMatchObject([{ kind: 'invariant' }])
  expect(findings[0]?.steps.map(({ kind }) => kind)).toContain('stored')
})

test('what cannot be fuzzed is named', async () => {
  const app = loansApp()
  for (const [given_, options, said] of [
    [{ name: 'loans' }, {}, 'it is no application'],
    [app, { runs: 0 }, '`runs` is a whole number'],
    [app, { run: 5 }, 'did you mean "runs"'],
  ] as const) {
    await expect(fuzz(given_, options as never)).rejects.toMatchObject({
      code: 'invalid_fuzz',
      message: expect.stringContaining(said) as string,
    })
  }
})
