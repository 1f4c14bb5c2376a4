import { Quotas, TOKENS_COUNTED_MAX } from '../../src/server/index.ts'
import { expect, onTestFinished, test } from 'vitest'
import { Journey, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import type { ServedBroker, Setting } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { serveSlowThread } from './slow-thread.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const MINUTE_MS = 60_000

async function served(setting: Setting) {
  const broker = await testBroker(setting)
  const journey = await caseAfter(broker)
  return { broker, journey }
}

/** Asks with a token, and returns the parts of a refusal that a client acts on. */
async function ask(url: string, token: string, headers: Readonly<Record<string, string>> = {}) {
  const abort = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: abort.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const body = isStream ? {} : ((await response.json()) as Readonly<Record<string, unknown>>)
  return {
    status: response.status,
    code: body['code'],
    retryAfterS: Number(response.headers.get('retry-after')),
    leave: () => abort.abort(),
  }
}

function opener({ url }: ServedBroker, { sessionId }: Journey) {
  const accept = { accept: 'text/event-stream' }
  return (token: string) => ask(`${url}/api/threads/${sessionId}/events`, token, accept)
}

const entrant = (id: string) =>
  ({ thread: 't', role: 'customer', id, generation: 0, issuedAt: 0, expiresAt: 0 }) as const

function turnsTaken(quotas: Quotas, id: string, at: readonly number[]): number {
  return at.filter((now) => {
    try {
      quotas.takeTurn(entrant(id), now)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'too_many_turns', status: 429 })
      return false
    }
  }).length
}

test('[X20] a token has its number of streams, and one that ended makes room for another', async ({
  annotate,
}) => {
  const { broker, journey } = await served({ quotas: { streamsPerToken: 3 } })
  const open = opener(broker, journey)
  const { customer, installer } = journey.tokens
  let refused = 0
  for (let round = 0; round < 5; round++) {
    const streams = await Promise.all([1, 2, 3].map(() => open(customer)))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    const fourth = await open(customer)
    expect(fourth).toMatchObject({ status: 429, code: 'too_many_streams', retryAfterS: 1 })
    refused++
    const other = await open(installer)
    expect(other.status).toBe(200)
    for (const stream of [...streams, other]) stream.leave()
    const hasRoom = async () => {
      const again = await open(customer)
      again.leave()
      return again.status
    }
    await expect.poll(hasRoom).toBe(200)
    await expect
      .poll(async () => (await Promise.all([1, 2, 3].map(hasRoom))).join())
      .toBe('200,200,200')
  }
  await annotate(`streams: ${refused} of ${refused} beyond the quota refused with 429`, 'promise')
})

test('[X20] a token has its number of turns a minute, and another token its own', async () => {
  const { broker, journey } = await served({ quotas: { turnsPerMinute: 3 } })
  const { sessionId, tokens } = journey
  const turn = (side: 'customer' | 'installer', headers = {}) =>
    request(`${broker.url}/api/threads/${sessionId}/runs`, {
      token: tokens[side],
      headers,
      body: { agent: side, input: 'Are you a lender?' },
    })
  const key = { 'idempotency-key': 'one' }
  const joined = await Promise.all(Array.from({ length: 10 }, () => turn('customer', key)))
  expect(new Set(joined.map(({ status }) => status))).toEqual(new Set([202]))
  expect([(await turn('customer')).status, (await turn('customer')).status]).toEqual([202, 202])
  const asked = async () => {
    const records = await recordsOf(broker.log, sessionId)
    return records.filter(({ type }) => type === 'RUN_STARTED').length
  }
  const before = await asked()
  const { status, body } = await turn('customer')
  expect([status, body['code']]).toEqual([429, 'too_many_turns'])
  expect(await asked()).toBe(before)
  expect((await turn('installer')).status).toBe(202)
  // A replay of disclosures calls the model too.
  const replay = () =>
    request(`${broker.url}/api/audit/${sessionId}/replay`, { token: tokens.auditor, body: {} })
  const replays = [await replay(), await replay(), await replay(), await replay()]
  expect(replays.at(-1)?.body['code']).toBe('too_many_turns')
})

test('[X20] turns are counted over any minute, for a bounded number of tokens', async () => {
  const quotas = new Quotas({ turnsPerMinute: 30 })
  const rush = Array.from({ length: 100 }, (_, n) => n * 100)
  expect(turnsTaken(quotas, 'a', rush)).toBe(30)
  expect(turnsTaken(quotas, 'b', rush)).toBe(30)
  expect(turnsTaken(quotas, 'a', [MINUTE_MS - 1])).toBe(0)
  expect(turnsTaken(quotas, 'a', [MINUTE_MS, MINUTE_MS + 1])).toBe(1)
  const full = new Quotas({ turnsPerMinute: 1 })
  expect(turnsTaken(full, 'first', [0, 0])).toBe(1)
  for (let n = 0; n < TOKENS_COUNTED_MAX; n++) full.takeTurn(entrant(`token ${n}`), 0)
  expect(turnsTaken(full, 'first', [0])).toBe(1)
})

test('[X20] the operator has no quota', async () => {
  const operatorToken = 'the-operator'
  const broker = await testBroker({ operatorToken, quotas: { streamsPerToken: 1 } })
  const body = { demoScenario: 'clean' }
  const started = await request(`${broker.url}/api/session`, { token: operatorToken, body })
  const open = opener(broker, new Journey(broker, started.body))
  const streams = await Promise.all([1, 2, 3].map(() => open(operatorToken)))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const stream of streams) stream.leave()
})

test('[X20] a long fold lets other requests be answered, and one token has two at once', async ({
  annotate,
}) => {
  const records = 2_000
  const server = await serveSlowThread(records)
  onTestFinished(() => server.close())
  const { url, tokenFor } = server
  const [slow, other, quick] = [
    await tokenFor('slow'),
    await tokenFor('slow'),
    await tokenFor('quick'),
  ]
  // As it was before its last record: as it is now, the server has folded it at its start.
  const stateAt = (token: string) => ask(`${url}/api/threads/slow/state?at=${records - 2}`, token)
  let answered = 0
  let folding = true
  const folds = Promise.all([1, 2, 3, 4].map(() => stateAt(slow)))
  const done = folds.finally(() => (folding = false))
  let others = 0
  while (folding) {
    const { status } = await ask(`${url}/api/threads/quick/events`, quick)
    expect(status).toBe(200)
    if (folding) answered++
    others++
  }
  const codes = (await done).map(({ status, code }) => `${status} ${String(code)}`)
  expect(codes.toSorted()).toEqual([
    '200 undefined',
    '200 undefined',
    '429 too_many_reads',
    '429 too_many_reads',
  ])
  // Two folds hold the event loop for 400 ms together, which is eighty slices.
  expect(answered).toBeGreaterThan(5)
  const again = await Promise.all([stateAt(slow), stateAt(slow), stateAt(other)])
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
  await annotate(
    `reads: ${answered} requests of another token answered while one folded ${2 * records} records, 0 of ${others} refused`,
    'promise',
  )
})
