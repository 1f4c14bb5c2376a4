import { expect, test } from 'vitest'
import { z } from 'zod'
import { user } from './pause.fixture.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'
import { tool } from './tool.ts'

test('a tool that asks for what no answer can have fails, and nothing waits', async () => {
  const asking = tool({
    inputSchema: z.object({}),
    execute: (_input, { pause }) => pause({ constructor: 'Who built it?' }),
  })
  const { ask, log } = withAgents([user('asker', ['ask', asking])])
  const { reason, text } = await ask('Go').result
  expect(reason).toBe('success')
  expect(text).toContain('Cannot ask for "constructor"')
  await expectWhole(log)
})
