import { expect, test } from 'vitest'
import { defineAgent, scriptedModel } from 'throughline'
import { anthropicServer } from './anthropic-server.fixture.ts'
import { compatibleServer } from './compatible-server.fixture.ts'
import { googleServer } from './google-server.fixture.ts'
import { mistralServer } from './mistral-server.fixture.ts'
import { openaiServer } from './openai-server.fixture.ts'
import { turnOf } from './provider-contract.fixture.ts'
import { emptyFolder } from '../server-process.fixture.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { chooseModel } from '../../apps/model.ts'

const scripted = scriptedModel(() => 'scripted')

async function chosen(env: Readonly<Record<string, string>>) {
  const configuration = await readConfiguration({ DATA_DIR: await emptyFolder(), ...env })
  return chooseModel(configuration, scripted)
}

test.each([
  ['anthropic/claude-sonnet-5-5', 'ANTHROPIC_API_KEY', 'x-api-key', anthropicServer],
  ['openai/gpt-5.2', 'OPENAI_API_KEY', 'authorization', openaiServer],
  ['google/gemini-3-pro', 'GOOGLE_GENERATIVE_AI_API_KEY', 'x-goog-api-key', googleServer],
  ['mistral/magistral-medium', 'MISTRAL_API_KEY', 'authorization', mistralServer],
  ['ollama/qwen3:8b', 'OLLAMA_API_KEY', 'authorization', compatibleServer],
  [
    'openai-compatible/deepseek/deepseek-v4',
    'OPENAI_COMPATIBLE_API_KEY',
    'authorization',
    compatibleServer,
  ],
] as const)('MODEL=%s answers, with the key in %s', async (...row) => {
  const [name, variable, header, serve] = row
  const { baseUrl, asked } = await serve(() => 'Hello.')
  const model = await chosen({ MODEL: name, MODEL_BASE_URL: baseUrl, [variable]: 'a-key' })
  expect(model.modelId).toBe(name.slice(name.indexOf('/') + 1))
  const { result } = await turnOf([defineAgent({ name: 'lead', model })])
  expect(result).toMatchObject({ reason: 'success', text: 'Hello.' })
  expect(asked[0]?.headers[header]).toContain('a-key')
})

test('a local server needs no key', async () => {
  const { baseUrl, asked } = await compatibleServer(() => 'Hello.')
  const model = await chosen({ MODEL: 'ollama/qwen3:8b', MODEL_BASE_URL: baseUrl })
  expect((await turnOf([defineAgent({ name: 'lead', model })])).result.text).toBe('Hello.')
  expect(asked[0]?.headers.authorization).toBeUndefined()
})

test.each([
  ['an unknown provider', { MODEL: 'unheard/of' }, /^MODEL is "unheard\/of": use "scripted", or/],
  ['a name of JavaScript’s own', { MODEL: 'constructor/of' }, /^MODEL is "constructor\/of": use/],
  ['no model', { MODEL: 'openai/' }, /^MODEL is "openai\/": use/],
  ['no provider', { MODEL: 'gpt-5.2' }, /^MODEL is "gpt-5.2": use/],
  ['no key', { MODEL: 'openai/gpt-5.2' }, /^OPENAI_API_KEY is not set.*: set it to/],
  ['an empty key', { MODEL: 'google/x', GOOGLE_GENERATIVE_AI_API_KEY: '' }, /^GOOGLE_.* not set/],
  ['another’s key', { MODEL: 'mistral/x', OPENAI_API_KEY: 'k' }, /^MISTRAL_API_KEY is not set/],
  ['no address', { MODEL: 'openai-compatible/x' }, /^MODEL_BASE_URL is not set.*: set it to/],
  ['no address at all', { MODEL: 'ollama/x', MODEL_BASE_URL: 'here' }, /^MODEL_BASE_URL is "here"/],
])('%s is refused in words that name the variable and the mend', async (_name, env, message) => {
  await expect(chosen(env)).rejects.toMatchObject({ name: 'ConfigurationError', message })
})

test('without MODEL the scripted model answers', async () => {
  expect(await chosen({})).toBe(scripted)
})
