import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import { locate } from './client.fixture.ts'
import { user } from './pause.fixture.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'
import { tool } from './define/tool.ts'

const NAMES = ['constructor', '__proto__', 'toString'] as const

test.each(NAMES)(
  'a tool that asks for "%s", which no answer can have, fails, and nothing waits',
  async (name) => {
    const asking = tool({
      inputSchema: z.object({}),
      execute: (_input, { pause }) => pause(Object.fromEntries([[name, 'Who built it?']])),
    })
    const { ask, log } = withAgents([user('asker', ['ask', asking])])
    const { reason, text, waits } = await ask('Go').result
    expect([reason, waits]).toEqual(['success', []])
    expect(text).toContain(`Cannot ask for "${name}"`)
    await expectWhole(log)
  },
)

test.each(NAMES)(
  'a call of a client’s tool that a model calls "%s" has an id that can be answered',
  async (id) => {
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.text.includes('Paris')
        ? 'Found.'
        : { toolCalls: [{ id, name: 'locate', input: {} }] },
    )
    const { runs, log } = withAgents([defineAgent({ name: 'guide', model })])
    const asked = await runs.start('t', { agent: 'guide', input: 'Where?', tools: [locate] }).result
    const toolCallId = asked.waits[0]?.toolCallId ?? ''
    expect(toolCallId).toMatch(new RegExp(`^${id}_.`))
    const values = { [toolCallId]: 'Paris' }
    const done = await runs.resume('t', { run: asked.run, values }).result
    expect(done).toMatchObject({ reason: 'success', text: 'Found.' })
    await expectWhole(log)
  },
)
