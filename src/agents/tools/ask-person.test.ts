import { expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../index.ts'
import { below, user } from '../pause.fixture.ts'
import { expectWhole, withAgents } from '../runs.fixture.ts'

test('a tool asks for the values of a schema until a person gives them', async () => {
  const order = tool({
    inputSchema: z.object({}),
    execute: async (_input, { ask }) => {
      const schema = z.object({ to: z.string(), pieces: z.coerce.number().int().min(1) })
      const { to, pieces } = await ask(schema, { to: 'Who gets it?', pieces: 'How many?' })
      return `${pieces + 1} to ${to}`
    },
  })
  const { ask, resume, log } = withAgents([below(1, user('clerk', ['order', order]))])
  const first = await ask('Order').result
  const requestKeys = { to: 'Who gets it?', pieces: 'How many?' }
  expect(first.waits).toMatchObject([{ reason: 'input_required', requestKeys }])
  const second = await resume(first.run, { to: 'Ada', pieces: 'none' }).result
  expect(second.waits[0]?.requestKeys).toMatchObject({
    to: 'Who gets it?',
    pieces: expect.stringContaining('How many? (pieces: Invalid input'),
  })
  const third = await resume(second.run, { to: 'Ada', pieces: '2' }).result
  expect(third.text).toContain('3 to Ada')
  await expectWhole(log)
})
