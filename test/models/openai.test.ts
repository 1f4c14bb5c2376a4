import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from 'throughline'
import { openOpenAI, openaiServer } from './openai-server.fixture.ts'
import { createOpenAI } from '@ai-sdk/openai'
import { fastClock } from './fast-clock.fixture.ts'
import { providerContract, turnOf } from './provider-contract.fixture.ts'
import { hostileContract } from './provider-hostile.fixture.ts'
import { script } from './provider-server.fixture.ts'
import { thoughtContract } from './provider-thoughts.fixture.ts'

const contract = [...providerContract, ...thoughtContract, ...hostileContract]

test.each(contract)('[M5] OpenAI: $name', ({ run }) => {
  fastClock()
  return run(openOpenAI)
})

test('[M6] OpenAI is asked to keep nothing, so that a thread does not depend on its storage', async () => {
  const thoughtful = {
    parts: [{ think: 'Two and three' }, { call: 'add', input: { a: 2, b: 3 } }],
  }
  const { baseUrl, asked } = await openaiServer(script({ lead: [thoughtful, 'Five.'] }))
  const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: () => 5 })
  const model = createOpenAI({ baseURL: baseUrl, apiKey: 'not-a-key' })('gpt-5.2')
  const lead = defineAgent({ name: 'lead', model, instructions: 'lead', tools: { add } })
  expect((await turnOf([lead])).result).toMatchObject({ reason: 'success', text: 'Five.' })
  expect(asked.map(({ body }) => body.store)).toEqual([false, false])
  const [thought] = asked[1]?.body.input.filter(({ type }) => type === 'reasoning') ?? []
  expect(thought).toMatchObject({ encrypted_content: 'sealed_0' })
  expect(thought?.summary?.map(({ text }) => text).join('')).toBe('Two and three')
})
