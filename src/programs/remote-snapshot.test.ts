import { expect, test } from 'vitest'
import { eventsOf, expectWhole, only, withAgents } from '../agents/runs.fixture.ts'
import { remoteAgent } from './index.ts'
import { call, loopback, result, text } from './loopback.fixture.ts'

const said = (id: string, content: string, more: object = {}) => {
  return { id, role: 'assistant', content, ...more }
}

test('[E032] a message that comes in a snapshot only is on record once, and the next request has it', async () => {
  const { url, requests } = await loopback(({ input }, index) => {
    const messages = [...input.messages, said(`m${index}`, `Answer ${index}`)]
    return [
      { type: 'MESSAGES_SNAPSHOT', messages },
      { type: 'MESSAGES_SNAPSHOT', messages },
    ]
  })
  const { ask, log } = withAgents([remoteAgent({ name: 'clerk', url })])
  const first = ask('Hello')
  expect(await first.result).toMatchObject({ reason: 'success', text: 'Answer 0' })
  const second = ask('Again')
  expect(await second.result).toMatchObject({ reason: 'success', text: 'Answer 1' })
  expect(only(await eventsOf(second), 'chat_output').map(({ delta }) => delta)).toEqual([
    'Answer 1',
  ])
  expect(requests[1]?.input.messages.map(({ content }) => content)).toEqual([
    'Hello',
    'Answer 0',
    'Again',
  ])
  await expectWhole(log)
})

test('a snapshot repeats no text that was streamed, and no history under new ids', async () => {
  const { url } = await loopback(() => [
    ...text('m1', 'Let me look.'),
    ...call('c1', 'search'),
    result('c1', 'found'),
    ...text('m2', 'Done.'),
    {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        said('old', 'From an earlier turn'),
        { id: 'u', role: 'user', content: 'Search' },
        said('other', 'Let me look.'),
        { id: 't', role: 'tool', toolCallId: 'c1', content: 'found' },
        said('between', 'Too late.'),
        said('other-2', 'Done.'),
        said('sub', 'Helping', { subagentRunId: 's1' }),
      ],
    },
  ])
  const { ask, log } = withAgents([remoteAgent({ name: 'clerk', url })])
  const turn = ask('Search')
  expect(await turn.result).toMatchObject({ text: 'Done.' })
  expect(only(await eventsOf(turn), 'chat_output').map(({ delta }) => delta)).toEqual([
    'Let me look.',
    'Done.',
  ])
  await expectWhole(log)
})
