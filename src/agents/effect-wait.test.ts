import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent } from './define/agent.ts'
import { defineDomain } from '../domain/index.ts'
import type { EffectOutcome } from '../due-work/index.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'

const ENDS_WITHIN_MS = 10_000

interface Order {
  readonly placed: boolean
  readonly due: readonly string[]
  readonly sent: readonly string[]
}

const { event, domain } = defineDomain<Order>()
const named = z.strictObject({ key: z.string() })

/** An order that a person places is submitted at the end of the turn, which makes two effects due. */
const orders = domain({
  name: 'orders',
  initial: { placed: false, due: [], sent: [] },
  events: {
    place: event({
      schema: z.strictObject({}),
      by: [{ source: 'ui' }],
      reduce: (order) => ({ ...order, placed: true }),
    }),
    submit: event({
      schema: z.strictObject({}),
      by: [{ source: 'rule' }],
      reduce: (order) => ({ ...order, due: ['slow', 'quick'] }),
    }),
    sent: event({
      schema: named,
      by: [{ source: 'system' }],
      reduce: ({ due, sent, ...order }, { key }) => ({
        ...order,
        due: due.filter((each) => each !== key),
        sent: [...sent, key],
      }),
    }),
  },
  rules: [
    {
      name: 'R1',
      submits: true,
      propose: ({ placed, due, sent }) =>
        placed && due.length + sent.length === 0 ? [{ type: 'submit', data: {} }] : [],
    },
  ],
  effects: [{ name: 'send', due: ({ due }) => due.map((key) => ({ key, input: {} })) }],
})

/** A turn that waits for its effects; the first one hangs until `finish` is called. */
async function waitingForEffects(reply: ScriptedReply) {
  const [began, late] = [Promise.withResolvers<void>(), Promise.withResolvers<EffectOutcome>()]
  const calls: string[] = []
  const send = {
    run: ({ key }: { key: string }) => {
      calls.push(key)
      began.resolve()
      return key === 'slow' ? late.promise : { type: 'sent', data: { key } }
    },
  }
  const model = scriptedModel(() => reply)
  const top = defineAgent<Order>({ name: 'top', surface: 'desk', model, submits: true })
  const made = withAgents([top], { domain: orders, effects: { send } })
  const events = [{ type: 'place', data: {} }]
  const turn = made.runs.start('t', { agent: 'top', input: 'Go', events })
  await began.promise
  const finish = (): void => late.resolve({ type: 'sent', data: { key: 'slow' } })
  const order = async () => (await made.gate.snapshot('t')).state
  return { ...made, turn, calls, finish, order }
}

test(
  '[S15] a cancel of a turn that waits for its effects ends the wait: the turn ends well, they go on',
  async () => {
    const { log, runs, turn, calls, finish, order } = await waitingForEffects('End')
    expect(await runs.cancel('t', { run: turn.run })).toBe(false)
    expect(await turn.result).toMatchObject({ reason: 'success', text: 'End' })
    expect(await order()).toMatchObject({ due: ['slow', 'quick'] })
    finish()
    await expect.poll(async () => (await order()).sent).toEqual(['slow', 'quick'])
    expect(calls).toEqual(['slow', 'quick'])
    await expectWhole(log)
  },
  ENDS_WITHIN_MS,
)

test(
  '[S15] a cancel of a turn that failed and waits for its effects ends it as cancelled',
  async () => {
    const { log, runs, turn, finish, order } = await waitingForEffects({ fail: new Error('no') })
    expect(await runs.cancel('t', { run: turn.run })).toBe(true)
    expect(await turn.result).toMatchObject({ reason: 'cancelled' })
    finish()
    await expect.poll(async () => (await order()).sent).toEqual(['slow', 'quick'])
    await expectWhole(log)
  },
  ENDS_WITHIN_MS,
)

test(
  'a turn that waits for its effects ends well when the process stops',
  async () => {
    const { log, runs, turn, order } = await waitingForEffects('End')
    await runs.drain(5)
    expect(await turn.result).toMatchObject({ reason: 'success', text: 'End' })
    expect(await order()).toMatchObject({ due: ['slow', 'quick'] })
    await expectWhole(log)
  },
  ENDS_WITHIN_MS,
)
