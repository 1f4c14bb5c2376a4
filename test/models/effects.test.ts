import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineDomain, scriptedModel } from 'throughline'
import { Gate } from '../../src/gate/index.ts'
import { Narration } from './narration.fixture.ts'
import type { Agent, EffectRunner } from 'throughline'
import { id, memoryLog, recordsOf, sha256 } from '../memory-log.fixture.ts'

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

const boil: EffectRunner<Kettle> = { run: ({ input }) => ({ type: 'boiled', data: input }) }

function setUp(runner: EffectRunner<Kettle> = boil) {
  const log = memoryLog({ now: () => 7 })
  const gate = new Gate({ log, domain: kettle, now: () => 7, id, sha256 })
  const keys: string[] = []
  const counted: EffectRunner<Kettle> = {
    run: (context) => (keys.push(context.key), runner.run(context)),
  }
  const effects = { boil: counted }
  const turns = new Narration({ gate, log, effects, id, sha256, retryDelayMs: 0 })
  const narrator = (submits: boolean): Agent<Kettle> =>
    defineAgent<Kettle>({
      name: 'a',
      surface: 's',
      model: scriptedModel(() => 'Yes.'),
      instructions: 'Be brief',
      notes: () => ['[Go.]'],
      submits,
    })
  const want = (cups: number) => ({ events: [{ type: 'want', data: { cups } }] })
  const types = async () => {
    const all = (await recordsOf(log)).map(({ type }) => type)
    return all.filter((type) => /^(effect_|boiled|CUSTOM)/.test(type))
  }
  return { gate, keys, turns, narrator, want, types }
}

test('[B021] a turn requests, runs and records its effects one after the other, before it ends', async () => {
  const { turns, narrator, want, keys, gate } = setUp()
  const result = await turns.run('t', narrator(true), want(3))
  expect(result.effectsEnded).toBe(true)
  expect(keys).toEqual(['boil:0', 'boil:1', 'boil:2'])
  expect((await gate.snapshot('t')).state.boiled).toBe(3)
})

test('an effect that a click makes due runs in a turn of any agent', async () => {
  const { turns, narrator, want, keys } = setUp()
  const result = await turns.run('t', narrator(false), want(3))
  expect([result.effectsEnded, keys.length]).toEqual([true, 3])
})

test('an effect that failed is recorded, and the next turn tries it again', async () => {
  let down = true
  const { turns, narrator, want, keys, gate, types } = setUp({
    run: (context) => {
      if (down) throw new Error('no water')
      return boil.run(context)
    },
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

test('an outcome that the gate refuses is recorded as a failure', async () => {
  const { turns, narrator, want, keys } = setUp({ run: () => ({ type: 'boiled', data: 'much' }) })
  const result = await turns.run('t', narrator(true), want(1))
  expect([result.status, result.effectsEnded, keys]).toEqual(['finished', false, ['boil:0']])
})
