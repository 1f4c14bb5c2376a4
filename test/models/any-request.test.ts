import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelError, callModel } from '../../src/models/index.ts'
import type { LanguageModel, ModelMessage } from 'throughline'
import { anyHistory } from '../../src/agents/any-history.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { faultOf as anthropicFault } from './anthropic-rules.fixture.ts'
import type { MessagesRequest } from './anthropic-rules.fixture.ts'
import { chatFaults } from './chat-rules.fixture.ts'
import type { ChatRequest } from './chat-rules.fixture.ts'
import { faultOf as googleFault } from './google-rules.fixture.ts'
import type { GoogleRequest } from './google-rules.fixture.ts'
import { mistralFaults } from './mistral-server.fixture.ts'
import { faultOf as openaiFault } from './openai-rules.fixture.ts'
import type { ResponsesRequest } from './openai-rules.fixture.ts'

/** Of each provider's requests, as its own package writes them. */
const REQUESTS = timesInTier({ quick: 500, full: 10_000 })

type Send = typeof globalThis.fetch

/** A provider whose requests are kept instead of sent. */
function unsent(open: (fetch: Send) => LanguageModel) {
  let body: unknown
  const model = open((_url, request) => {
    body = JSON.parse(String(request?.body))
    return Promise.reject(new Error('It is not sent'))
  })
  return async (messages: readonly ModelMessage[]): Promise<unknown> => {
    body = undefined
    const known = { type: 'function', name: 'known', inputSchema: { type: 'object' } } as const
    try {
      for await (const part of callModel(model, { system: 'system', messages, tools: [known] })) {
        expect(part).toBeUndefined()
      }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
    }
    return body
  }
}

const settings = { apiKey: 'not-a-key', name: 'compatible', baseURL: 'http://127.0.0.1:9/v1' }

interface Row {
  readonly provider: string
  readonly open: (fetch: Send) => LanguageModel
  readonly faultsOf: (body: unknown) => readonly (string | undefined)[]
}

// Each reads what its own package wrote.
const ROWS: readonly Row[] = [
  {
    provider: 'Anthropic',
    open: (fetch) => createAnthropic({ ...settings, fetch })('claude-sonnet-5-5'),
    faultsOf: (body) => [anthropicFault(body as MessagesRequest)],
  },
  {
    provider: 'OpenAI',
    open: (fetch) => createOpenAI({ ...settings, fetch })('gpt-5.2'),
    faultsOf: (body) => [openaiFault(body as ResponsesRequest)],
  },
  {
    provider: 'Google',
    open: (fetch) => createGoogle({ ...settings, fetch })('gemini-3-pro-preview'),
    faultsOf: (body) => [googleFault(body as GoogleRequest)],
  },
  {
    provider: 'Mistral',
    open: (fetch) => createMistral({ ...settings, fetch })('magistral-medium'),
    faultsOf: (body) => [...chatFaults(body as ChatRequest), ...mistralFaults(body as ChatRequest)],
  },
  {
    provider: 'OpenAI-compatible',
    open: (fetch) => createOpenAICompatible({ ...settings, fetch })('deepseek-chat'),
    faultsOf: (body) => [...chatFaults(body as ChatRequest)],
  },
]

test.for(ROWS)(
  '$provider: a blank thought that another provider signed is left out',
  async (row) => {
    const encrypted = '{"another":{"sign":"x"}}'
    const toolCalls = [{ id: 'call-1', name: 'known', input: '{}' }]
    const body = await unsent(row.open)([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: '', reasoning: [{ text: ' ', encrypted }], toolCalls },
      { role: 'tool', toolCallId: 'call-1', toolName: 'known', text: 'done', failed: false },
    ])
    expect(row.faultsOf(body).filter((fault) => fault !== undefined)).toEqual([])
  },
)

test.for(ROWS)(
  '[M6] $provider: whatever a thread holds, its package makes a request of it that would be taken',
  { timeout: 60_000 },
  async ({ provider, open, faultsOf }, { annotate }) => {
    const requestOf = unsent(open)
    let taken = 0
    await fc.assert(
      fc.asyncProperty(anyHistory, async (messages) => {
        const body = await requestOf(messages)
        expect(body).toBeDefined()
        expect(faultsOf(body).filter((fault) => fault !== undefined)).toEqual([])
        taken++
      }),
      { numRuns: REQUESTS },
    )
    await annotate(`${provider}: ${taken} of ${REQUESTS} requests taken`, 'promise')
  },
)
