import { expect, onTestFinished, test } from 'vitest'
import { defineAgent, open } from 'throughline'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { openAnthropic } from './anthropic-server.fixture.ts'
import { openCompatible } from './compatible-server.fixture.ts'
import { openGoogle } from './google-server.fixture.ts'
import { openOpenAI } from './openai-server.fixture.ts'
import type { Reply } from './provider-server.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const PROVIDERS = [
  ['Anthropic', openAnthropic],
  ['OpenAI', openOpenAI],
  ['Google', openGoogle],
  ['a compatible server', openCompatible],
] as const

const CONTACT = `<agent-event type="record_customer_contact" data='{"firstName":"Sarah"}' />`

test.each(PROVIDERS)(
  '[M5] a refusal by %s is a failed turn with that code, and its other parts do not count',
  async (_name, provider) => {
    const refusal = { parts: [{ say: `Noted.\n${CONTACT}\nI cannot ` }], ends: 'refusal' as const }
    const replies: Reply[] = [refusal, 'Welcome back.']
    const { model, server } = await provider(() => replies.shift() ?? 500)
    const broker = await testBroker({ model })
    const journey = await Journey.start(broker)
    const refused = await journey.say('installer', 'Something that it will not do')
    expect(refused.end).toBe('declined')
    // To ask for the same thing again would be no use.
    expect(server.asked).toHaveLength(1)
    const records = await recordsOf(broker.log, journey.sessionId)
    const types = records.map(({ type }) => type)
    expect(types).not.toContain('record_customer_contact')
    expect(records.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      data: {
        code: 'refused',
        message: 'Cannot finish the model call: the model refused to answer',
      },
    })
    const next = await journey.say('installer', 'Are you there?')
    expect([next.end, next.reply]).toEqual(['finished', 'Welcome back.'])
    // Its unfinished text does not come back to it as its own message.
    expect(JSON.stringify(server.asked.at(-1))).not.toContain('I cannot')
  },
)

/** OpenAI's package reports a refusal only where no tool was called. */
const TELLING = PROVIDERS.filter(([name]) => name !== 'OpenAI')

test.each(TELLING)(
  '[M5] a tool that %s asks for before it refuses is not run, and the caller gets the reason',
  async (_name, provider) => {
    const asks = { call: 'call_low', input: { message: 'Do it' } }
    const { model } = await provider(({ system }) =>
      system === 'top' ? { parts: [{ say: 'So ' }, asks], ends: 'refusal' } : 'Done.',
    )
    const low = defineAgent({ name: 'low', model, instructions: 'low' })
    const lead = defineAgent({ name: 'top', model, instructions: 'top', agents: [low] })
    const app = await open({ store: 'memory:', agents: [lead] })
    onTestFinished(() => app.close())
    const { reason, error } = await app.turn('t', { agent: 'top', input: 'Go' }).result
    expect([reason, error?.code]).toEqual(['error', 'refused'])
    const types = (await recordsOf(app.log, 't')).map(({ type }) => type)
    expect(types).not.toContain('SUBAGENT_STARTED')
  },
)
