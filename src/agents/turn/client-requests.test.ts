import { expect, test } from 'vitest'
import { defineAgent } from '../define/agent.ts'
import { scriptedModel } from '../../models/index.ts'
import { textOf } from '../../json/index.ts'
import { caller, locate } from '../client.fixture.ts'
import { calling, expectWhole, overheard, withAgents } from '../runs.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const agent = 'guide'
const message = (id: string, text = `Text of ${id}`) => ({ id, text })

function listener() {
  const { model, calls } = overheard(scriptedModel(() => 'Hello'))
  return { guide: defineAgent({ name: agent, model }), calls }
}

test('the client’s messages are appended in the opening, in order and under its ids', async () => {
  const { guide, calls } = listener()
  const { runs, records, log } = withAgents([guide])
  const messages = [message('m1'), message('m2'), message('m1')]
  const turn = runs.start('t', { agent, messages, wire: { runId: 'r1' }, actor: 'ada' })
  await turn.started
  const opening = (await records()).slice(0, 7)
  expect(opening[0]?.data).toMatchObject({ wire: { runId: 'r1', messages: ['m1', 'm2'] } })
  const spoken = opening.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
  expect(spoken).toMatchObject([
    { data: { messageId: 'm1', delta: 'Text of m1' }, origin: { source: 'ui', actor: 'ada' } },
    { data: { messageId: 'm2', delta: 'Text of m2' }, origin: { source: 'ui', actor: 'ada' } },
  ])
  await turn.result
  expect(JSON.stringify(calls[0]?.prompt)).toContain('Text of m1\\n\\nText of m2')
  await expectWhole(log)
})

test('two messages of one request under one id are refused, unless they say the same', async () => {
  const { runs, records } = withAgents([listener().guide])
  const messages = [message('m1'), message('m1', 'Again')]
  await expect(runs.start('t', { agent, messages }).started).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('under the id "m1": give each message an id of its own'),
  })
  expect(await records()).toEqual([])
})

test('a message that the thread holds is not appended again', async () => {
  const { runs, records, log } = withAgents([listener().guide])
  await runs.start('t', { agent, messages: [message('m1')] }).result
  const turn = runs.start('t', {
    agent,
    messages: [message('m1'), message('m2')],
    wire: { runId: 'r2' },
  })
  await turn.result
  const starts = (await records()).filter(({ origin }) => origin.turn === turn.run)
  expect(starts[0]?.data).toMatchObject({ wire: { messages: ['m2'] } })
  expect(await runs.knownMessages('t', ['m1', 'm2', 'm3'])).toEqual(new Set(['m1', 'm2']))
  await expectWhole(log)
})

test('a message under an id of another author is refused, and the thread stays as it is', async () => {
  const { runs, records } = withAgents([listener().guide])
  await runs.start('t', { agent, messages: [message('m1')], actor: 'ada' }).result
  const before = await records()
  const reply = before.find(
    ({ type, origin }) => type.endsWith('_START') && origin.source === 'model',
  )
  const messageId = textOf(reply?.data ?? null, 'messageId')
  for (const [id, actor] of [
    ['m1', 'bob'],
    [messageId, 'ada'],
  ] as const) {
    await expect(
      runs.start('t', { agent, messages: [message(id)], actor }).result,
    ).rejects.toMatchObject({ code: 'invalid_request' })
  }
  expect(await records()).toEqual(before)
  expect(await runs.knownMessages('t', [messageId])).toEqual(new Set([messageId]))
})

test('messages and typed input stay known by id after their history was shortened', async () => {
  const model = scriptedModel(({ system }) => (system.startsWith('Sum up') ? 'Talk.' : 'Noted'))
  const guide = defineAgent({ name: agent, model, limits: { historyChars: 60 } })
  const { runs, records, gate } = withAgents([guide])
  await runs.start('t', { agent, input: 'A typed line of a person' }).result
  for (let turn = 0; turn < 6; turn++) {
    await runs.start('t', { agent, messages: [message(`m${turn}`)] }).result
  }
  const { conversation } = await gate.snapshot('t')
  expect(conversation.messages.some(({ id }) => id === 'm0')).toBe(false)
  const spoken = (await records()).filter(({ type, origin }) => {
    return type === 'TEXT_MESSAGE_START' && origin.source === 'ui'
  })
  const ids = spoken.map(({ data }) => textOf(data, 'messageId'))
  expect(await runs.knownMessages('t', ids)).toEqual(new Set(ids))
})

test('[S2] a known run id attaches and never runs again, even when its turn failed', async () => {
  let calls = 0
  const model = scriptedModel(() => {
    calls++
    throw new Error('The provider is down')
  })
  const { runs, log } = withAgents([defineAgent({ name: agent, model })])
  const request = { agent, messages: [message('m1')], wire: { runId: 'r1' } }
  const first = runs.start('t', request)
  expect(await first.result).toMatchObject({ reason: 'error' })
  const before = calls
  const again = runs.start('t', { ...request, messages: [message('m2')] })
  expect(again.run).toBe(first.run)
  expect(await again.result).toEqual(await first.result)
  expect(calls).toBe(before)
  expect(await runs.turnOfWire('t', 'r1')).toEqual({ turn: first.run, seq: 0 })
  expect(await runs.turnOfWire('t', 'r2')).toBeUndefined()
  await expectWhole(log)
})

test('[S2] two requests with one run id at once are one turn', async () => {
  const { guide, calls } = listener()
  const { runs } = withAgents([guide])
  const request = { agent, messages: [message('m1')], wire: { runId: 'r1' } }
  const [one, two] = [runs.start('t', request), runs.start('t', request)]
  expect(await one.result).toEqual(await two.result)
  expect(calls).toHaveLength(1)
})

test('a turn without a new message answers again', async () => {
  const { guide, calls } = listener()
  const { runs, log } = withAgents([guide])
  await runs.start('t', { agent, messages: [message('m1')], wire: { runId: 'r1' } }).result
  await runs.start('t', { agent, wire: { runId: 'r2' } }).result
  expect(calls).toHaveLength(2)
  await expectWhole(log)
})

test('the waiting turn of a surface is found by the surface and by its agent', async () => {
  const log = memoryLog()
  const guide = caller([['locate']], { surface: 'desk' })
  const { runs } = withAgents([guide], { log })
  const { run } = await runs.start('t', { agent, input: 'Go', tools: [locate] }).result
  expect(await runs.waiting('t', { surface: 'desk' })).toMatchObject({ run })
  expect(await runs.waiting('t', { agent })).toMatchObject({ run })
  expect(await runs.waiting('t', { surface: 'other' })).toBeUndefined()
})

test('a keyed turn that gave up pending calls and then failed runs again under its key', async () => {
  let fails = true
  const model = scriptedModel(({ index }) => {
    if (index === 0) return calling(['locate'])
    if (fails) throw new Error('The provider is down')
    return 'Hello again'
  })
  const { runs, log } = withAgents([defineAgent({ name: agent, model })])
  await runs.start('t', { agent, input: 'Go', tools: [locate] }).result
  const request = { agent, input: 'Never mind', key: 'k' }
  expect(await runs.start('t', request).result).toMatchObject({ reason: 'error' })
  fails = false
  expect(await runs.start('t', request).result).toMatchObject({ text: 'Hello again' })
  await expectWhole(log)
})
