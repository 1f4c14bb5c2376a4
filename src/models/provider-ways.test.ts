import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { promptOf } from './model-message.ts'
import type { ModelMessage } from './model-message.ts'
import { waysOf } from './provider-ways.ts'

type Part = Exclude<LanguageModelV4Prompt[number]['content'], string>[number]

const CUT_OFF: readonly ModelMessage[] = [
  { role: 'user', text: 'Pay' },
  {
    role: 'assistant',
    text: '',
    reasoning: [{ text: 'Let me see' }, { text: 'Signed', encrypted: '{"one":{"signature":"s"}}' }],
    toolCalls: [
      { id: 'functions.pay:0', name: 'pay', input: '{}' },
      { id: 'aBcDeFg12', name: 'pay', input: '{}' },
    ],
  },
  { role: 'tool', toolCallId: 'functions.pay:0', toolName: 'pay', text: 'paid', failed: false },
  { role: 'tool', toolCallId: 'aBcDeFg12', toolName: 'pay', text: 'paid', failed: false },
  { role: 'user', text: 'Stop' },
]

function told(provider: string, modelId = 'a-model') {
  const prompt = promptOf('', CUT_OFF, waysOf({ provider, modelId, specificationVersion: 'v4' }))
  const parts = prompt.flatMap(({ content }): readonly Part[] =>
    typeof content === 'string' ? [] : content,
  )
  return {
    roles: prompt.map(({ role }) => role),
    ids: parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
    thoughts: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])),
  }
}

const OWN = ['functions.pay:0', 'aBcDeFg12']
const PLAIN = ['user', 'assistant', 'tool', 'user']

test.each([
  ['mistral.chat', 'magistral-medium'],
  ['openai-compatible.chat', 'mistralai/Devstral-Small'],
  ['ollama.chat', 'ministral:8b'],
])('[M6] %s %s gets nine characters and an assistant after a result', (provider, modelId) => {
  expect(told(provider, modelId)).toEqual({
    roles: ['user', 'assistant', 'tool', 'assistant', 'user'],
    ids: ['000000000', 'aBcDeFg12', '000000000', 'aBcDeFg12'],
    thoughts: [],
  })
})

test.each(['anthropic.messages', 'openai.responses', 'vertex.anthropic.messages'])(
  '[M6] %s gets ids of letters, digits, "_" and "-"',
  (provider) => {
    const { roles, ids, thoughts } = told(provider)
    expect([roles, thoughts]).toEqual([PLAIN, ['Signed']])
    expect(ids).toEqual(['000000000', 'aBcDeFg12', '000000000', 'aBcDeFg12'])
  },
)

test.each(['deepseek.chat', 'openai-compatible.chat', 'ollama.chat'])(
  '[M6] %s gets its unsigned thoughts back, and its ids as they were',
  (provider) => {
    const { roles, ids, thoughts } = told(provider)
    expect([roles, ids, thoughts]).toEqual([PLAIN, [...OWN, ...OWN], ['Let me see', 'Signed']])
  },
)

test.each(['openai.chat', 'azure.chat', 'google.generative-ai', 'a-users.own'])(
  '%s gets no unsigned thoughts',
  (provider) => {
    expect(told(provider).thoughts).toEqual(['Signed'])
  },
)

test('OpenAI is asked to store nothing, under the name that its options have', () => {
  const optionsOf = (provider: string) =>
    waysOf({ provider, modelId: 'gpt-5.2', specificationVersion: 'v4' }).options
  expect(optionsOf('openai.responses')).toEqual({ openai: { store: false } })
  expect(optionsOf('azure.responses')).toEqual({ azure: { store: false } })
  expect(optionsOf('anthropic.messages')).toBeUndefined()
})
