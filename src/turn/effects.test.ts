import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../models/index.ts'
import { defineDomain } from '../domain/index.ts'
import { Gate } from '../gate/index.ts'
import { MemoryLog } from '../log/index.ts'
import { EFFECTS_PER_TURN_MAX, Turns } from './index.ts'
import type { EffectRunner, Narrator } from './index.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const id: () => string = randomUUID

interface Kettle {
  readonly wanted: number
  readonly boiled: number
}

const { event, domain } = defineDomain<Kettle>()
const kettle = domain({
  name: 'kettle',
  initial: { wanted: 0, boiled: 0 },
  events: {
    want: event({
      schema: z.strictObject({ cups: z.int() }),
      by: [{ source: 'ui' }],
      reduce: (state, { cups }) => ({ ...state, wanted: cups }),
    }),
    boiled: event({
      schema: z.strictObject({ cup: z.int() }),
      by: [{ source: 'system' }],
      reduce: (state) => ({ ...state, boiled: state.boiled + 1 }),
    }),
  },
  effects: [
    {
      name: 'boil',
      due: ({ wanted, boiled }) =>
        boiled < wanted ? { key: `boil:${boiled}`, input: { cup: boiled } } : undefined,
    },
  ],
})

const boil: EffectRunner<Kettle> = async ({ input }) => ({ type: 'boiled', data: input })

function setUp(runner: EffectRunner<Kettle> = boil) {
  const log = new MemoryLog({ hash: sha256, now: () => 7, id })
  const gate = new Gate({ log, domain: kettle, now: () => 7, id, sha256 })
  const keys: string[] = []
  const counted: EffectRunner<Kettle> = (request) => (keys.push(request.key), runner(request))
  const turns = () =>
    new Turns({ gate, log, runners: { boil: counted }, id, sha256, retryDelayMs: 0 })
  const narrator = (maySubmit: boolean): Narrator<Kettle> => ({
    agent: 'a',
    surface: 's',
    model: scriptedModel(() => 'Yes.'),
    instructions: () => 'Be brief',
    notes: () => ['[Go.]'],
    maySubmit,
  })
  const want = (cups: number) => ({ directEvents: [{ type: 'want', data: { cups } }] })
  const types = async () => {
    const all: string[] = []
    for await (const batch of log.read('t')) all.push(...batch.map(({ type }) => type))
    return all.filter((type) => /^(effect_|boiled|CUSTOM)/.test(type))
  }
  return { log, gate, keys, turns: turns(), again: turns(), narrator, want, types }
}

test('[B021] work in the world is requested, done, and recorded, one after the other', async () => {
  const { turns, narrator, want, keys, gate } = setUp()
  const result = await turns.run('t', narrator(true), want(3))
  expect(result.effectsEnded).toBe(true)
  expect(keys).toEqual(['boil:0', 'boil:1', 'boil:2'])
  expect((await gate.snapshot('t')).state.boiled).toBe(3)
})

test('[B050] a turn that may not submit starts no work', async () => {
  const { turns, narrator, want, keys } = setUp()
  const result = await turns.run('t', narrator(false), want(3))
  expect([result.effectsEnded, keys]).toEqual([false, []])
})

test('[M7] work that a crash cut off is taken up with its key and ends once', async () => {
  const { log, gate, turns, again, keys, types } = setUp()
  const origin = { source: 'ui', depth: 0 } as const
  await gate.commit('t', [{ id: id(), type: 'want', data: { cups: 1 }, origin }])
  await Promise.all([turns.takeUp('t'), again.takeUp('t')])
  expect(new Set(keys)).toEqual(new Set(['boil:0']))
  expect(await types()).toEqual(['effect_requested', 'boiled'])
  const head = await log.head('t')
  await turns.takeUp('t')
  expect(await log.head('t')).toBe(head)
})

test('work that fails is recorded and taken up by the next turn', async () => {
  let down = true
  const { turns, narrator, want, keys, gate, types } = setUp(async (request) => {
    if (down) throw new Error('no water')
    return boil(request)
  })
  const failed = await turns.run('t', narrator(true), want(1))
  expect(failed).toMatchObject({ status: 'finished', effectsEnded: false })
  expect((await types()).filter((type) => type.startsWith('effect_'))).toEqual(['effect_requested'])
  down = false
  const told = await turns.run('t', narrator(true), {})
  expect(told.effectsEnded).toBe(true)
  expect(keys).toEqual(['boil:0', 'boil:0'])
  expect((await gate.snapshot('t')).state.boiled).toBe(1)
})

test('an outcome that the gate refuses is recorded as a failure, once a turn', async () => {
  const { turns, narrator, want, keys } = setUp(async () => ({ type: 'boiled', data: 'much' }))
  const result = await turns.run('t', narrator(true), want(1))
  expect([result.status, result.effectsEnded, keys]).toEqual(['finished', false, ['boil:0']])
})

test('one turn runs no more than a named number of effects', async () => {
  const { turns, narrator, want, keys } = setUp()
  await turns.run('t', narrator(true), want(100))
  expect(keys).toHaveLength(EFFECTS_PER_TURN_MAX)
})
