import { defaultSettingsMiddleware, wrapLanguageModel } from 'ai'
import { expect, test } from 'vitest'
import { createAnthropic } from '@ai-sdk/anthropic'
import { defineAgent } from 'throughline'
import { anthropicServer, openAnthropic } from './anthropic-server.fixture.ts'
import { fastClock } from './fast-clock.fixture.ts'
import { providerContract, turnOf } from './provider-contract.fixture.ts'
import { hostileContract } from './provider-hostile.fixture.ts'
import { thoughtContract } from './provider-thoughts.fixture.ts'

const contract = [...providerContract, ...thoughtContract, ...hostileContract]

test.each(contract)('[M5] Anthropic: $name', ({ run }) => {
  fastClock()
  return run(openAnthropic)
})

test('[M5] Anthropic: a model that was wrapped to set the provider’s own options', async () => {
  const { baseUrl, asked } = await anthropicServer(() => 'Hello.')
  const thinking = { type: 'adaptive', display: 'summarized' } as const
  const model = wrapLanguageModel({
    model: createAnthropic({ baseURL: baseUrl, apiKey: 'not-a-key' })('claude-sonnet-5-5'),
    middleware: defaultSettingsMiddleware({
      settings: { providerOptions: { anthropic: { thinking } } },
    }),
  })
  const { result } = await turnOf([defineAgent({ name: 'lead', model })])
  expect([result.reason, result.text]).toEqual(['success', 'Hello.'])
  expect(asked[0]?.body).toMatchObject({ thinking, max_tokens: 4_096 })
})
