import type { RunAgentInput } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { defineAgent } from '../agents/index.ts'
import { scriptedModel } from '../models/index.ts'
import { only, eventsOf, wireFaults, withAgents } from '../agents/runs.fixture.ts'
import { remoteAgent } from './index.ts'
import type { ProgramFault } from './index.ts'
import { call, framed, loopback, text, within } from './loopback.fixture.ts'
import type { Answer } from './loopback.fixture.ts'

async function asked(answer: Answer) {
  const faults: ProgramFault[] = []
  const server = await loopback(answer)
  const clerk = remoteAgent({
    name: 'clerk',
    url: server.url,
    onFault: (each) => faults.push(each),
  })
  const setting = withAgents([clerk])
  const turn = setting.ask('Go')
  const events = await eventsOf(turn)
  expect(await wireFaults(setting.log)).toEqual([])
  return { events, end: await turn.result, faults, records: await setting.records() }
}

const start = (messageId: string) => ({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
const say = (messageId: string, delta: string) => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
})
const stop = (messageId: string) => ({ type: 'TEXT_MESSAGE_END', messageId })

test('messages that are open at once are one text, each whole and in order', async () => {
  const { events, end } = await asked(() => [
    ...text('before', 'I look.'),
    start('a'),
    start('b'),
    say('a', 'A1 '),
    say('b', 'B1 '),
    say('a', 'A2'),
    say('b', 'B2 '),
    stop('a'),
    say('b', 'B3'),
    stop('b'),
  ])
  expect(end.text).toBe('A1 A2\n\nB1 B2 B3')
  expect(only(events, 'turn_end')).toMatchObject([{ result: end.text }])
})

test('the result of a run is kept, on record and for the caller; a caller without words reads it', async () => {
  const result = { paid: [1, 2] }
  const { end, records } = await asked(() => [{ type: 'RUN_FINISHED', result }])
  expect(end).toMatchObject({ reason: 'success', result })
  const finished = records.find(({ type }) => type === 'RUN_FINISHED')
  expect(finished?.data).toMatchObject({ result })
  const server = await loopback(() => [{ type: 'RUN_FINISHED', result }])
  const clerk = remoteAgent({ name: 'clerk', url: server.url })
  const model = scriptedModel(({ messages: [, , answer] }) =>
    answer
      ? `It says ${answer.text}`
      : { toolCalls: [{ name: 'call_clerk', input: { message: 'Go' } }] },
  )
  const chief = defineAgent({ name: 'chief', agents: [clerk], model })
  expect((await withAgents([chief]).ask('Go').result).text).toBe('It says {"paid":[1,2]}')
})

const answered = (body: (input: RunAgentInput) => string, type?: string): Answer => {
  const headers = type === undefined ? {} : { 'content-type': type }
  return ({ input }) => ({
    write: (response) => void response.writeHead(200, headers).end(body(input)),
  })
}

test.each([undefined, 'text/plain', 'application/json', 'application/octet-stream'])(
  'a stream is known by its first bytes, also as %s',
  async (type) => {
    const body = (input: RunAgentInput) =>
      `\uFEFF: hi\n\n${framed(within(input, text('m', 'Hello')))}`
    expect((await asked(answered(body, type))).end).toMatchObject({ text: 'Hello' })
  },
)

test.each(['<html>', '{"error":"no"}', 'dat'])('"%s" is no stream', async (body) => {
  const { end } = await asked(answered(() => body, 'text/plain'))
  expect(['malformed', 'truncated']).toContain(end.error?.code)
})

test.each<[string, string]>([
  ['a message that is closed late', JSON.stringify(stop('m'))],
  ['a close of nothing', JSON.stringify(stop('x'))],
  ['an event of another kind', '{"type":"CUSTOM","name":"trace","value":1}'],
  ['an event of no kind', '{"type":"DONE"}'],
  ['a mark that is no JSON', '[DONE]'],
  ['the same end again', ''],
])('%s behind the end does not break a finished run', async (_what, late) => {
  const { end, faults } = await asked(
    answered((input) => {
      const { threadId, runId } = input
      const finished = { type: 'RUN_FINISHED', threadId, runId }
      const events = [start('m'), say('m', 'Hello'), ...(late.includes('"m"') ? [] : [stop('m')])]
      const behind = late === '' ? JSON.stringify(finished) : late
      return `${framed(within(input, [...events, finished]))}data: ${behind}\n\n`
    }, 'text/event-stream'),
  )
  expect(end).toMatchObject({ reason: 'success', text: 'Hello' })
  expect(faults).toContain('behind_end')
})

test('[S15] [E037] an event behind the end that does not fit still closes the item that chunks opened', async () => {
  const { end, records, faults } = await asked(() => [
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'search' },
    { type: 'RUN_FINISHED' },
    stop('unknown'),
  ])
  expect(end.reason).toBe('success')
  const types = records.map(({ type }) => type).filter((type) => type.startsWith('TOOL_CALL'))
  expect(types).toEqual(['TOOL_CALL_START', 'TOOL_CALL_END', 'TOOL_CALL_RESULT'])
  expect(faults).toEqual(['behind_end'])
})

test('what is behind an interrupt is left out, and a run that goes on has to end again', async () => {
  const interrupt = { id: 'i', reason: 'input_required', message: 'Which?' }
  const outcome = { type: 'interrupt', interrupts: [interrupt] }
  const asks = await asked(() => [
    { type: 'RUN_FINISHED', outcome },
    ...text('late', 'Never mind.'),
  ])
  expect(asks.end).toMatchObject({ reason: 'interrupt', text: '' })
  const { end } = await asked(() => [{ type: 'RUN_FINISHED' }, ...call('c', 'search')])
  expect(end.error?.code).toBe('truncated')
  expect(asks.faults).toEqual(['behind_end'])
})
