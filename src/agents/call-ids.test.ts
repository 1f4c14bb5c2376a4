import { expect, test } from 'vitest'
import { defineAgent } from './define/agent.ts'
import { tool } from './define/tool.ts'
import { z } from 'zod'
import { calling, expectWhole, replies, withAgents } from './runs.fixture.ts'

const add = tool({ inputSchema: z.object({ n: z.number().optional() }), execute: () => 'done' })

const idsIn = async (world: {
  readonly records: () => Promise<readonly { type: string; data: unknown }[]>
}) =>
  (await world.records()).flatMap(({ type, data }) =>
    type === 'TOOL_CALL_START' ? [String(Reflect.get(Object(data), 'toolCallId'))] : [],
  )

test('an id that the thread has used is not used again, by the next turn, in another process or after a reset', async () => {
  const clerk = () =>
    defineAgent({
      name: 'clerk',
      model: replies(calling(['add', { n: 1 }], ['add', { n: 2 }]), 'Done'),
      tools: { add },
    })
  const first = withAgents([clerk()])
  await first.ask('Add').result
  await first.runs.resetHistory('t')
  const second = withAgents([clerk()], { log: first.log })
  await second.ask('Add').result
  const ids = await idsIn(second)
  expect(ids.slice(0, 2)).toEqual(['call-1', 'call-2'])
  expect(ids[2]).toMatch(/^call-1_./)
  expect(new Set(ids).size).toBe(4)
  await expectWhole(first.log)
})

test('sub-agents that work at once and whose models want the same id get two', async () => {
  const below = (name: string) =>
    defineAgent({ name, model: replies(calling(['add']), 'Done'), tools: { add } })
  const chief = defineAgent({
    name: 'chief',
    model: replies(
      calling(['call_one', { message: 'Go' }], ['call_two', { message: 'Go' }]),
      'Done',
    ),
    agents: [below('one'), below('two')],
  })
  const world = withAgents([chief])
  expect(await world.ask('Go').result).toMatchObject({ reason: 'success' })
  const ids = await idsIn(world)
  expect(ids).toHaveLength(4)
  expect(new Set(ids).size).toBe(4)
  await expectWhole(world.log)
})
