import { APICallError } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { MODEL_RETRY_AFTER_MAX_MS, ModelError } from './index.ts'
import { exceedsContext } from './model-error.ts'

function told(
  responseHeaders: Record<string, string>,
  statusCode = 429,
  responseBody = '',
): ModelError {
  const call = { url: 'http://127.0.0.1', requestBodyValues: {}, message: 'no' }
  const cause = new APICallError({ ...call, statusCode, responseHeaders, responseBody })
  return new ModelError('provider', 'Cannot finish the model call', { cause })
}

test.each([
  [{}, 0],
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '-3' }, 0],
  [{ 'retry-after': 'soon' }, 0],
  [{ 'retry-after': '' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
])('[M5] %j asks for %i ms', (headers, ms) => {
  expect(told(headers)).toMatchObject({ retryAfterMs: ms, retryable: true })
})

const retryInfo = (retryDelay: unknown) => {
  const quota = { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] }
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
  const message = 'You exceeded your quota. Please retry in 1s, not "retryDelay": "1s".'
  const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [quota, info] }
  return JSON.stringify({ error }, null, 2)
}

test.each([
  ['7s', 7_000],
  ['7.531s', 7_531],
  ['0s', 0],
  ['-3s', 0],
  ['soon', 0],
  [7, 0],
  [undefined, 0],
])('[M5] a RetryInfo of %j in the body asks for %i ms', (delay, ms) => {
  expect(told({}, 429, retryInfo(delay))).toMatchObject({ retryAfterMs: ms, retryable: true })
})

test('[M5] a header says more than the body, and a body that is no error says nothing', () => {
  expect(told({ 'retry-after': '3' }, 429, retryInfo('7s')).retryAfterMs).toBe(3_000)
  const endless = `${' '.repeat(70_000)}${retryInfo('7s')}`
  for (const body of ['', 'no', '{"error":', endless]) {
    expect(told({}, 429, body).retryAfterMs).toBe(0)
  }
})

test('[M5] a date becomes the time that is left until it', () => {
  const { retryAfterMs, retryable } = told({
    'retry-after': new Date(Date.now() + 10_000).toUTCString(),
  })
  expect(retryable).toBe(true)
  expect(Math.round(retryAfterMs / 10_000)).toBe(1)
})

test('[M5] a call is not repeated if a retry cannot help or `retry-after` is too long', () => {
  const late = String(MODEL_RETRY_AFTER_MAX_MS / 1_000 + 1)
  expect(told({ 'retry-after': late }).retryable).toBe(false)
  expect(told({}, 401).retryable).toBe(false)
  expect(told({}, 429, retryInfo('3600s')).retryable).toBe(false)
  for (const code of ['cancelled', 'too_large', 'refused'] as const) {
    expect(new ModelError(code, 'no').retryable).toBe(false)
  }
  expect(new ModelError('provider', 'no', { cause: 'text' }).retryable).toBe(true)
})

test.each([
  ['OpenAI', { statusCode: 400, code: 'context_length_exceeded', message: 'Bad request' }],
  [
    'OpenAI, in words',
    { statusCode: 400, message: "This model's maximum context length is 128000 tokens." },
  ],
  ['Anthropic', { statusCode: 400, message: 'prompt is too long: 208310 tokens > 200000 maximum' }],
  [
    'Google',
    {
      statusCode: 400,
      message: 'The input token count (1050000) exceeds the maximum number of tokens allowed.',
    },
  ],
  ['Bedrock', { statusCode: 400, message: 'Input is too long for requested model.' }],
  ['llama.cpp', { message: 'the request exceeds the available context size, try increasing it' }],
])(
  'a prompt that is longer than the window of %s is told from other failures',
  (_name, members) => {
    expect(exceedsContext(Object.assign(new Error(), members))).toBe(true)
  },
)

test.each([
  { statusCode: 429, message: 'Too many tokens per minute: your context window is fine' },
  { statusCode: 500, message: 'context size' },
  { statusCode: 400, message: 'Unknown parameter: max_tokens' },
])('another failure is none of a prompt that is too long: $message', (members) => {
  expect(exceedsContext(Object.assign(new Error(), members))).toBe(false)
})
