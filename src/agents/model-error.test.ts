import { APICallError } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { MODEL_RETRY_AFTER_MAX_MS, ModelError } from './index.ts'

function told(responseHeaders: Record<string, string>, statusCode = 429): ModelError {
  const call = { url: 'http://127.0.0.1', requestBodyValues: {}, message: 'no' }
  const cause = new APICallError({ ...call, statusCode, responseHeaders })
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

test('[M5] a date is told in the time that is left until it', () => {
  const { retryAfterMs, retryable } = told({
    'retry-after': new Date(Date.now() + 10_000).toUTCString(),
  })
  expect(retryable).toBe(true)
  expect(Math.round(retryAfterMs / 10_000)).toBe(1)
})

test('[M5] what is no use to ask again, or only too late, is not asked again', () => {
  const late = String(MODEL_RETRY_AFTER_MAX_MS / 1_000 + 1)
  expect(told({ 'retry-after': late }).retryable).toBe(false)
  expect(told({}, 401).retryable).toBe(false)
  expect(new ModelError('cancelled', 'stopped').retryable).toBe(false)
  expect(new ModelError('provider', 'no', { cause: 'text' }).retryable).toBe(true)
})
