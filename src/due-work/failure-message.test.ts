import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { FAILURE_CHARS_MAX, failureMessage } from './failure-message.ts'

const refused = new Error('connect ECONNREFUSED 127.0.0.1:9')
const caused = (message: string, cause: unknown) => new Error(message, { cause })

/** Its own cause. */
const circular = new Error('round and round')
circular.cause = caused('again', circular)

const hostile = new Error('hostile')
for (const name of ['message', 'cause']) {
  Object.defineProperty(hostile, name, {
    get: () => {
      throw new Error('no')
    },
  })
}

const deep = Array.from({ length: 9 }, (_, at) => at).reduceRight<Error>(
  (cause, at) => caused(`level ${at}`, cause),
  new Error('bottom'),
)

const nowhere = Object.assign(new AggregateError([refused], ''), { code: 'ECONNREFUSED' })

test.each<[string, unknown, string]>([
  ['an error', refused, 'connect ECONNREFUSED 127.0.0.1:9'],
  ['a cause', caused('fetch failed', refused), 'fetch failed: connect ECONNREFUSED 127.0.0.1:9'],
  [
    'a cause with an empty message and several errors',
    caused('fetch failed', nowhere),
    'fetch failed: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9',
  ],
  ['a cause that is a text', caused('failed', 'no line'), 'failed: no line'],
  [
    'a message that repeats its cause',
    caused('failed: no line', new Error('no line')),
    'failed: no line',
  ],
  ['a cycle', circular, 'round and round: again'],
  ['many causes', deep, 'level 0: level 1: level 2: level 3: level 4: level 5'],
  ['getters that throw', hostile, 'It threw a value that has no text'],
  [
    'a cause whose getters throw',
    caused('failed', hostile),
    'failed: It threw a value that has no text',
  ],
  ['no error', undefined, 'undefined'],
])('the message of %s names its causes', (_name, error, message) => {
  expect(failureMessage(error)).toBe(message)
})

test('the message of a failed request says why the connection failed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const error: unknown = await fetch(`http://127.0.0.1:${port}`).catch((thrown: unknown) => thrown)
  expect(failureMessage(error)).toBe(`fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`)
})

test('a message and its causes are cut together', () => {
  const long = 'x'.repeat(FAILURE_CHARS_MAX - 10)
  expect(failureMessage(caused(long, new Error('y'.repeat(100))))).toHaveLength(FAILURE_CHARS_MAX)
})
