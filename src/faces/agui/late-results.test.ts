import { expect, test } from 'vitest'
import { ann, claims, payer } from '../../agents/approvals.fixture.ts'
import { withAgents } from '../../agents/runs.fixture.ts'
import { applied, readFrames, verified } from './stock-client.fixture.ts'
import { joinText, turnText } from './streams.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'

const eventsIn = (text: string) => readFrames(text).map(({ event }) => event)

test('the stock client takes a call that waits, its late result, and the thread after a reload', async () => {
  const log = memoryLog()
  const { runs } = withAgents([payer()], { domain: claims, log })
  const { run } = await runs.start('t', { agent: 'payer', input: 'pay 50', ...ann }).result
  const asked = eventsIn(await turnText(log, { turn: run }))
  await verified(asked)
  await verified(asked, 'before-1.0')
  expect(asked.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  const before = await applied(asked)
  expect(before.messages.filter(({ role }) => role === 'tool')).toMatchObject([
    { content: expect.stringContaining('Not run yet') as string },
  ])

  const decided = await runs.resume('t', { run, values: { approved: true }, actor: 'harry' }).result
  const late = eventsIn(await turnText(log, { turn: decided.run }))
  await verified(late)
  await verified(late, 'before-1.0')
  const { messages } = await applied(late, before)
  const results = (of: typeof messages) =>
    of.flatMap((message) => (message.role === 'tool' ? [message.content.slice(0, 8)] : []))
  expect(results(messages)).toEqual(['Not run ', '£50 paid'])
  expect(messages.at(-1)).toMatchObject({ role: 'assistant' })

  const joined = eventsIn(await joinText(log))
  await verified(joined)
  await verified(joined, 'before-1.0')
  expect(results((await applied(joined)).messages)).toEqual(['Not run ', '£50 paid'])
})
