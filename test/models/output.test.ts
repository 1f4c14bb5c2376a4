import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from 'throughline'
import { anthropicServer } from './anthropic-server.fixture.ts'
import { openaiServer } from './openai-server.fixture.ts'
import { turnOf } from './provider-contract.fixture.ts'
import { script } from './provider-server.fixture.ts'

const output = z.object({ city: z.string(), days: z.number() })
const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: () => 5 })
const FITS = { city: 'Bern', days: 5 }
const ANSWERS = [
  { parts: [{ call: 'add', input: { a: 2, b: 3 } }] },
  '{"city":"Bern"}',
  JSON.stringify(FITS),
]

test('OpenAI is asked for an output by its schema, beside tools, and again when it does not fit', async () => {
  const { baseUrl, asked } = await openaiServer(script({ lead: ANSWERS }))
  const model = createOpenAI({ baseURL: baseUrl, apiKey: 'not-a-key' })('gpt-5.2')
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add }, output })
  expect((await turnOf([lead])).result).toMatchObject({ reason: 'success', output: FITS })
  expect(asked).toHaveLength(3)
  for (const { body } of asked) {
    expect(body).toMatchObject({
      text: { format: { type: 'json_schema', schema: { required: ['city', 'days'] } } },
    })
  }
  expect(JSON.stringify(asked[2]?.body)).toContain('The answer does not fit: days: ')
})

test('Anthropic is asked for an output by its schema, beside tools, and again when it does not fit', async () => {
  const { baseUrl, asked } = await anthropicServer(script({ lead: ANSWERS }))
  const model = createAnthropic({ baseURL: baseUrl, apiKey: 'not-a-key' })('claude-sonnet-4-5')
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add }, output })
  expect((await turnOf([lead])).result).toMatchObject({ reason: 'success', output: FITS })
  expect(asked).toHaveLength(3)
  for (const { body } of asked) expect(JSON.stringify(body)).toContain('json_schema')
})
