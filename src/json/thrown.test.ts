import { expect, test } from 'vitest'
import { isThrown, thrownMember, thrownMessage } from './index.ts'

const cycle: Record<string, unknown> = { code: 7 }
cycle['self'] = cycle

const hostile = Object.defineProperty({}, 'message', {
  get: () => {
    throw new Error('no')
  },
})

test.each<[string, unknown, string]>([
  ['an error', new TypeError('no paper'), 'no paper'],
  [
    'an error with a code alone',
    Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
    'ECONNREFUSED',
  ],
  ['a text', 'plain', 'plain'],
  ['nothing', undefined, 'undefined'],
  ['an object with a message', { message: 'no ink' }, 'no ink'],
  ['an object with an error in words', { error: 'no disk' }, 'no disk'],
  ['a provider’s error', { error: { type: 'server_error', message: 'busy' } }, 'busy'],
  [
    'a failed response',
    {
      type: 'response.failed',
      response: { error: { code: 'x', message: 'You are out of quota' } },
    },
    'You are out of quota',
  ],
  ['an object without a message', { reason: 7 }, '{"reason":7}'],
  ['an object without JSON', cycle, 'It threw a value that has no text'],
  ['a member that cannot be read', hostile, 'It threw a value that has no text'],
])('the message of %s is read', (_name, thrown, message) => {
  expect(thrownMessage(thrown)).toBe(message)
})

test('a thrown proxy whose class cannot be read is of no class', () => {
  const silent = () => {
    throw new Error('no')
  }
  const proxy = new Proxy({}, { getPrototypeOf: silent, get: silent })
  expect(isThrown(proxy, Error)).toBe(false)
  expect(isThrown(new TypeError('no'), Error)).toBe(true)
  expect(thrownMessage(proxy)).toBe('It threw a value that has no text')
})

test('a member of a thrown value is its own, or of the error inside it', () => {
  expect(thrownMember({ isRetryable: false }, 'isRetryable')).toBe(false)
  expect(thrownMember({ error: { status: 402 } }, 'status')).toBe(402)
  expect(thrownMember('text', 'status')).toBeUndefined()
  expect(thrownMember(hostile, 'message')).toBeUndefined()
})
