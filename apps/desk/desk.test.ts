import { expect, test } from 'vitest'
import type { CallerEvent } from 'throughline'
import { THREAD, atTheDesk } from './conversation.fixture.ts'

const BROKEN_LAMP = 'My lamp from order 4711 arrived broken. I want my money back!'

function starts(events: readonly CallerEvent[]) {
  return events.flatMap(({ type, agent, depth }) =>
    type === 'prompt_started' ? [`${depth} ${agent}`] : [],
  )
}

function tell(events: readonly CallerEvent[], ...types: readonly CallerEvent['type'][]) {
  return events.flatMap(({ type, agent }) => (types.includes(type) ? [`${agent} ${type}`] : []))
}

test('[C011] [C016] [C017] [C018] [C022] the whole tree reaches the customer, three levels deep', async () => {
  const { say } = await atTheDesk()
  const { events, result } = await say(BROKEN_LAMP)
  expect(starts(events).toSorted()).toEqual([
    '0 desk',
    '1 orders',
    '1 policy',
    '2 archive',
    '2 archive',
    '3 carrier',
  ])
  const carrier = events.find(({ agent }) => agent === 'carrier')
  expect(carrier?.path).toEqual(['desk', 'orders', 'archive', 'carrier'])
  expect(result).toMatchObject({
    reason: 'interrupt',
    waits: [{ reason: 'tool_approval', toolName: 'refund', agent: 'desk', depth: 0 }],
  })
})

test('[C023] every agent that started has ended, each archive for itself', async () => {
  const { say } = await atTheDesk()
  const { events } = await say(BROKEN_LAMP)
  const runs = (types: readonly CallerEvent['type'][]) =>
    new Set(events.flatMap(({ type, run }) => (types.includes(type) ? [run] : [])))
  expect(runs(['prompt_started'])).toEqual(runs(['turn_end', 'wait_for_input']))
  expect(runs(['prompt_started']).size).toBe(6)
})

test('[C021] both questions to the archive are under way before either is answered', async () => {
  const { say } = await atTheDesk()
  const { events } = await say(BROKEN_LAMP)
  const archive = events.filter(({ agent }) => agent === 'archive')
  expect(tell(archive, 'prompt_started', 'turn_end')).toEqual([
    'archive prompt_started',
    'archive prompt_started',
    'archive turn_end',
    'archive turn_end',
  ])
})

test('[C003] [C004] a tool shows how far it is before its result', async () => {
  const { say } = await atTheDesk()
  const { events } = await say(BROKEN_LAMP)
  const search = events.flatMap((event) =>
    'name' in event && event.name === 'search_archive' ? [event.type] : [],
  )
  const outputs = Array.from({ length: 5 }, () => 'tool_output')
  expect(search).toEqual(['tool_call', ...outputs, 'tool_result'])
})

test('[C024] [C025] [C026] [C027] [C029] an agreed refund is made, then the writer takes the caller', async () => {
  const { say, answer } = await atTheDesk()
  const asked = await say(BROKEN_LAMP)
  const { events, result } = await answer(asked.result.run, { approved: true })
  expect(tell(events, 'turn_end', 'prompt_started')).toEqual([
    'desk turn_end',
    'writer prompt_started',
    'writer turn_end',
  ])
  expect(events.every(({ depth }) => depth === 0)).toBe(true)
  expect(result.reason).toBe('success')
  expect(result.text).toContain('We give you back £89.00 for order 4711')
  expect(result.text).toContain('R-4711')
})

test('a refused refund is never made, and the customer reads why', async () => {
  const { say, answer } = await atTheDesk()
  const asked = await say(BROKEN_LAMP)
  const values = { approved: false, reason: 'he broke it [himself]: no' }
  const { events, result } = await answer(asked.result.run, values)
  expect(tell(events, 'tool_error', 'tool_output')).toEqual(['desk tool_error'])
  expect(result).toMatchObject({ reason: 'success' })
  expect(result.text).toContain('he broke it [himself]: no')
})

test('a question from three levels down stops everybody and goes on where it stood', async () => {
  const { say, answer } = await atTheDesk()
  const lost = await say('The rug of order 4712 never arrived')
  expect(lost.result.waits).toMatchObject([{ agent: 'carrier', depth: 3 }])
  expect(tell(lost.events, 'wait_for_input')).toEqual([
    'carrier wait_for_input',
    'archive wait_for_input',
    'orders wait_for_input',
    'desk wait_for_input',
  ])
  const traced = await answer(lost.result.run, { postcode: 'N1 9GU' })
  expect(tell(traced.events, 'resume_with_input')).toHaveLength(4)
  expect(traced.result.waits).toMatchObject([{ toolName: 'refund', agent: 'desk' }])
  const { result } = await answer(traced.result.run, { approved: true })
  expect(result.text).toContain('£240.00')
})

test("a small sum needs no person, but the customer's own camera", async () => {
  const { say, answer } = await atTheDesk()
  const asked = await say('Mugs, order 4713, cracked')
  const [wait] = asked.result.waits
  expect(wait).toMatchObject({ reason: 'client_tool', toolName: 'customer_photo' })
  const values = { [wait?.toolCallId ?? '']: 'three cracked mugs' }
  const { result } = await answer(asked.result.run, values)
  expect(result.text).toContain('£24.00')
})

test('the order is asked for when no message names it', async () => {
  const { say, answer } = await atTheDesk()
  const asked = await say('I want a refund')
  expect(asked.result.waits).toMatchObject([{ reason: 'input_required', agent: 'desk' }])
  const named = await answer(asked.result.run, { order: 'it was 4711, I think' })
  expect(named.result.waits).toMatchObject([{ toolName: 'refund' }])
})

test('[C030] [C031] a second and a third turn know the first', async () => {
  const { say, answer } = await atTheDesk()
  const asked = await say(BROKEN_LAMP)
  await answer(asked.result.run, { approved: true })
  expect((await say('And the refund for 4711?')).result.text).toContain('£89.00 refunded')
  expect((await say('Thank you')).result.text).toContain('refunds desk')
})

test('a forgotten answer is asked for again', async () => {
  const { app, say, answer } = await atTheDesk()
  const asked = await say(BROKEN_LAMP)
  await answer(asked.result.run, { approved: true })
  await app.reset(THREAD)
  expect((await say(BROKEN_LAMP)).result.waits).toHaveLength(1)
})

test('[C007] [C008] [C020] usage counts the whole tree, and by agent', async () => {
  const { say } = await atTheDesk()
  const { events, result } = await say(BROKEN_LAMP)
  const { own, total, byAgent } = result.usage
  expect(Object.keys(byAgent).toSorted()).toEqual([
    'archive',
    'carrier',
    'desk',
    'orders',
    'policy',
  ])
  expect(total.calls).toBe(tell(events, 'completion_end').length)
  expect(byAgent['desk']).toEqual(own)
  expect(events.filter(({ depth }) => depth === 0).map(({ agent }) => agent)).not.toContain(
    'orders',
  )
  expect(total.unpriced).toBe(0)
})

test('a question about an order is answered without anybody paying', async () => {
  const { say } = await atTheDesk()
  const { result } = await say('Where is 4711?')
  expect(result).toMatchObject({ reason: 'success', waits: [] })
  expect(result.text).toContain('left at the door, box dented')
})

test('an order that is none is said to be none', async () => {
  const { say } = await atTheDesk()
  const { result } = await say('Order 9999 is broken')
  expect(result).toMatchObject({ reason: 'success', waits: [] })
  expect(result.text).toContain('There is no order 9999')
})
