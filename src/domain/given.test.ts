import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain, given } from './index.ts'

interface Incident {
  readonly status: 'none' | 'open' | 'taken'
  readonly openedAt: number
  readonly level: number
  readonly logged: number
}

const { event, domain } = defineDomain<Incident>()
const system = [{ source: 'system' }] as const
const incidents = domain({
  name: 'incidents',
  initial: { status: 'none', openedAt: 0, level: 0, logged: 0 },
  events: {
    reported: event({
      schema: z.strictObject({ what: z.string(), where: z.string().default('here') }),
      by: [{ source: 'remote' }],
      reduce: (state, _data, { ts }) => ({ ...state, status: 'open', openedAt: ts }),
    }),
    acknowledged: event({
      schema: z.strictObject({}),
      by: [{ source: 'ui', when: (_state, _data, { typed }) => !typed }],
      guard: ({ status }) =>
        status === 'open' ? undefined : { refused: 'precondition', detail: 'nothing is open' },
      reduce: (state) => ({ ...state, status: 'taken' }),
    }),
    escalated: event({
      schema: z.strictObject({ level: z.int() }),
      by: system,
      reduce: (state, { level }) => ({ ...state, level }),
    }),
    logged: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      reduce: (state) => ({ ...state, logged: state.logged + 1 }),
    }),
  },
  rules: [
    {
      name: 'log every escalation',
      submits: true,
      propose: ({ level, logged }) => (logged < level ? [{ type: 'logged', data: {} }] : []),
    },
  ],
  deadlines: [
    {
      name: 'escalate',
      due: ({ status, openedAt, level }) =>
        status === 'open' && {
          at: openedAt + (level + 1) * 100,
          key: String(level),
          propose: { type: 'escalated', data: { level: level + 1 } },
        },
    },
  ],
})

const ui = { source: 'ui' } as const
const remote = { source: 'remote' } as const
const opened = [{ type: 'reported', data: { what: 'fire', where: 'here' }, ts: 1_000 }] as const
const acknowledge = { type: 'acknowledged', data: {}, origin: ui } as const

test('an event that has happened must fit the schema of its type', () => {
  const wrong = [{ type: 'reported', data: { what: 7, where: 'here' } }] as const
  expect(() => given(incidents, wrong)).toThrow(
    'Cannot begin with "reported": its data does not fit: what: Invalid input: expected string, received number',
  )
})

test('the state after a refused step is not told, unless the refusal was expected', () => {
  const refused = given(incidents).when(acknowledge)
  expect(() => refused.state).toThrow(
    'Cannot tell the state: acknowledged was refused as precondition: nothing is open',
  )
  refused.thenRefused('precondition')
})

test('given events, a proposal leads to the expected events', () => {
  given(incidents, opened)
    .when(acknowledge)
    .then([{ type: 'acknowledged', data: {} }])
  given(incidents)
    .when({ type: 'reported', data: { what: 'fire' }, origin: remote })
    .then([{ type: 'reported', data: { where: 'here', what: 'fire' } }])
  expect(given(incidents, opened).when(acknowledge).state.status).toBe('taken')
})

test('deadlines propose when their time comes, each at its own time and once', () => {
  given(incidents, opened).at(1_099).then([])
  const escalated = (level: number) => ({ type: 'escalated', data: { level } }) as const
  given(incidents, opened)
    .at(1_100)
    .at(1_150)
    .then([escalated(1)])
  given(incidents, opened)
    .at(1_250)
    .when(acknowledge)
    .at(9_999)
    .then([escalated(1), escalated(2), { type: 'acknowledged', data: {} }])
  expect(() => given(incidents, opened).at(999)).toThrow('Cannot go back to 999: it is 1000')
})

test('rules run after an accepted proposal, the submitting rules only in a submit pass', () => {
  const escalated = [...opened, { type: 'escalated', data: { level: 1 } }] as const
  const taken = { type: 'acknowledged', data: {} } as const
  given(incidents, escalated).when(acknowledge).then([taken])
  given(incidents, escalated)
    .when(acknowledge, { pass: 'submit' })
    .then([taken, { type: 'logged', data: {} }])
})

test('a refusal is expected by its reason', () => {
  given(incidents).when(acknowledge).thenRefused('precondition')
  given(incidents, opened).when(acknowledge, { typed: true }).thenRefused('not_authorised')
  expect(() => given(incidents).when(acknowledge).thenRefused('locked')).toThrow(
    'The last proposal was to be refused as locked, but was refused as precondition: nothing is open',
  )
  expect(() => given(incidents, opened).when(acknowledge).thenRefused('locked')).toThrow(
    'The last proposal was to be refused as locked, but was accepted',
  )
})

test('a difference is shown line by line, with the refusals', () => {
  const steps = given(incidents, opened).when(acknowledge).at(2_000).when(acknowledge)
  expect(() =>
    steps.then([
      { type: 'acknowledged', data: {} },
      { type: 'escalated', data: { level: 1 } },
    ]),
  ).toThrow(
    [
      'The events are not those expected (- expected, + came):',
      '  acknowledged {}',
      '- escalated {"level":1}',
      'acknowledged was refused as precondition: nothing is open',
    ].join('\n'),
  )
  expect(() => given(incidents, opened).at(1_100).then([])).toThrow('+ escalated {"level":1}')
})

test('a scenario that begins with no event of the domain is a mistake', () => {
  const events = [{ type: 'reporte' as 'reported', data: {} }]
  expect(() => given(incidents, events)).toThrow(
    'Cannot begin with "reporte": it is not an event of incidents',
  )
})

test('awaiting a scenario throws an error that says why', async () => {
  // The compiler refuses it too.
  const awaited = async () => given(incidents, opened).when(acknowledge) as unknown
  await expect(awaited()).rejects.toThrow('Cannot await a scenario')
})

test('a silence begins anew with each person and each change of the state', () => {
  const idle = domain({
    name: 'idle',
    initial: incidents.initial,
    events: {
      poked: event({ schema: z.strictObject({}), by: [ui], reduce: (state) => state }),
      idled: event({ schema: z.strictObject({}), by: system, reduce: (state) => state }),
    },
    deadlines: [
      {
        name: 'idle',
        due: (_state, { activeAt }) => ({
          at: activeAt + 100,
          key: String(activeAt),
          propose: { type: 'idled', data: {} },
        }),
      },
    ],
  })
  const poke = { type: 'poked', data: {}, origin: ui } as const
  const poked = { type: 'poked', data: {} } as const
  given(idle, [{ ...poked, ts: 50 }])
    .at(120)
    .when(poke)
    .at(219)
    .then([poked])
  given(idle, [{ ...poked, ts: 50 }])
    .at(10_000)
    .then([{ type: 'idled', data: {} }])
})

test('a proposal without a source has the first authority of its event type', () => {
  const report = { type: 'reported', data: { what: 'smoke', where: 'hall' } } as const
  given(incidents).when(report).then([report])
  given(incidents)
    .when({ ...report, origin: { source: 'ui' } })
    .thenRefused('not_authorised')
})
