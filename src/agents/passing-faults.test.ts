import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { textOf } from '../json/index.ts'
import { logWithFault } from '../log/passing-fault.fixture.ts'
import type { PassingFault } from '../log/passing-fault.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import { inTier } from '../../test/tier.fixture.ts'
import { defineAgent } from './define/agent.ts'
import { calling, expectWhole, withAgents } from './runs.fixture.ts'
import { tool } from './define/tool.ts'
import { memoryLog, recordsOf } from '../../test/memory-log.fixture.ts'

interface Order {
  readonly placed: number
  readonly sent: number
}

const { event, domain } = defineDomain<Order>()

/** An order that the model places is sent by an effect. */
const orders = domain({
  name: 'orders',
  initial: { placed: 0, sent: 0 },
  events: {
    place: event({
      schema: z.strictObject({}),
      by: [{ source: 'model' }],
      reduce: (order) => ({ ...order, placed: order.placed + 1 }),
    }),
    sent: event({
      schema: z.strictObject({}),
      by: [{ source: 'system' }],
      reduce: (order) => ({ ...order, sent: order.sent + 1 }),
    }),
  },
  effects: [
    { name: 'send', due: ({ placed, sent }) => placed > sent && { key: 'order', input: {} } },
  ],
})

const TURN_ENDED_WITHIN_MS = 10_000
const OPERATIONS_MAX = 200

/** Runs one turn over a log that fails in between. Returns whether the fault came up. */
async function turnWithFault(fault: PassingFault, from: number, length: number): Promise<boolean> {
  const whole = memoryLog()
  const log = logWithFault(whole, { fault, from, to: from + length })
  const child = defineAgent<Order>({ name: 'child', model: scriptedModel(() => 'Done') })
  const top = defineAgent<Order>({
    name: 'top',
    model: scriptedModel(({ messages }) => {
      const answered = messages.some(({ role }) => role === 'tool')
      if (answered) return `Thanks.\n<agent-event type="place" data='{}' />`
      return { text: 'A moment.', ...calling(['call_child', { message: 'x' }], ['note']) }
    }),
    tools: { note: tool({ inputSchema: z.object({}), execute: () => 'noted' }) },
    agents: [child],
    emits: ['place'],
  })
  let calls = 0
  const send = {
    run: async () => {
      calls++
      return { type: 'sent', data: {} }
    },
  }
  const { runs, gate } = withAgents<Order>([top], {
    domain: orders,
    log,
    effects: { send },
    onFault: () => undefined,
  })
  const turn = runs.start('t', { agent: 'top', input: 'Go' })
  const [result] = await Promise.allSettled([turn.result])
  await expect
    .poll(
      async () => {
        await runs.settled()
        const { openRuns, state } = await gate
          .snapshot('t')
          .catch(() => ({ openRuns: ['?'], state: undefined }))
        return openRuns.length === 0 && state?.placed === state?.sent && gate.unrecorded === 0
      },
      { timeout: TURN_ENDED_WITHIN_MS },
    )
    .toBe(true)
  await expectWhole(whole)
  const records = await recordsOf(whole, 't')
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
  // A turn goes on once the store is back. Only where its first append was never acknowledged, it ends as interrupted.
  const errors = records.filter(({ type }) => type === 'RUN_ERROR')
  expect(errors.filter(({ data }) => textOf(data, 'code') !== 'interrupted')).toEqual([])
  const placed = records.filter(({ type }) => type === 'place').length
  expect(records.filter(({ type }) => type === 'sent')).toHaveLength(placed)
  expect(calls).toBe(placed)
  if (result.status === 'fulfilled' && result.value.reason === 'success') expect(placed).toBe(1)
  return log.hits > 0
}

test('[D15] a turn during which the store fails for a while has one end for each run, and every outcome', async ({
  annotate,
}) => {
  let turns = 0
  for (const fault of ['full', 'away', 'unanswered'] as const) {
    for (const length of inTier({ quick: [3], full: [1, 2, 3, 5] })) {
      const hit: boolean[] = []
      for (let from = 0; hit.every(Boolean) && from < OPERATIONS_MAX; from += 20) {
        const points = Array.from({ length: 20 }, (_, n) => from + n)
        hit.push(...(await Promise.all(points.map((point) => turnWithFault(fault, point, length)))))
      }
      turns += hit.filter(Boolean).length
    }
  }
  expect(turns).toBeGreaterThan(40)
  await annotate(
    `the store failed in ${turns} turns: 0 runs without one end, 0 outcomes lost or twice`,
    'promise',
  )
})
