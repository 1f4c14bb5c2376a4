import { expect, test } from 'vitest'
import type { ServedBroker, Setting } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const OPERATOR_TOKEN = '01234567-the-token-of-the-operator-itself'
const COMPARED_MAX = 10
const GUESSES = timesInTier({ quick: 800, full: 10_000 })
/** So many that each guesses more often than is compared. */
const ADDRESSES = timesInTier({ quick: 20, full: 100 })
const AT_ONCE = 50

const guarded = (setting: Setting = {}) => testBroker({ operatorToken: OPERATOR_TOKEN, ...setting })

/** Behind a proxy on this machine, which tells whom it forwards for. */
const proxied = () => guarded({ publicUrl: 'https://loans.example' })

async function guess({ url }: ServedBroker, token: string, address?: string) {
  const response = await fetch(`${url}/api/agents/served`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
  })
  await response.arrayBuffer()
  return response
}

/** Sends guesses a few at a time, and counts how they were answered. */
async function guessAll(broker: ServedBroker, guesses: readonly (readonly [string, string?])[]) {
  const counts = new Map<number, number>()
  const left = [...guesses]
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { status } = await guess(broker, ...next)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return Object.fromEntries(counts)
}

/** Each guess has the first characters right. */
const guesses = (count: number) =>
  Array.from({ length: count }, (_, at) => `${OPERATOR_TOKEN.slice(0, 16)}-${at}`.padEnd(41, '.'))

test('[X17] of thousands of guesses ten a minute of each address are compared, and no other address is held up', async ({
  annotate,
}) => {
  const half = GUESSES / 2
  const since = performance.now()
  const perAddress = () => COMPARED_MAX * (1 + Math.floor((performance.now() - since) / 60_000))
  const direct = await guarded()
  const one = await guessAll(
    direct,
    guesses(half).map((token) => [token]),
  )
  expect(Object.keys(one)).toEqual(['401', '429'])
  expect(one[401]).toBeLessThanOrEqual(perAddress())
  expect((one[401] ?? 0) + (one[429] ?? 0)).toBe(half)
  const right = await guess(direct, OPERATOR_TOKEN)
  expect(right.status).toBe(429)
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(right.headers.get('retry-after'))).toBeLessThanOrEqual(60)

  const behind = await proxied()
  const addresses = Array.from({ length: ADDRESSES }, (_, at) => `203.0.113.${at}`)
  const spread = guesses(half).map((token, at) => {
    // The entries before the last one were written by the guesser.
    const forged = `198.51.100.${at % 250}`
    return [token, `${forged}, ${addresses[at % addresses.length]}`] as const
  })
  const many = await guessAll(behind, spread)
  expect(Object.keys(many)).toEqual(['401', '429'])
  expect(many[401]).toBeLessThanOrEqual(addresses.length * perAddress())
  expect((many[401] ?? 0) + (many[429] ?? 0)).toBe(half)
  expect((await guess(behind, OPERATOR_TOKEN, '203.0.113.200')).status).toBe(200)
  await annotate(
    `${one[401]} of ${half} guesses from one address compared, ${many[401]} of ${half} from ${addresses.length}; the operator got in from another`,
    'promise',
  )
})

test('[X17] the addresses of one IPv6 network count as one, those of another do not', async () => {
  const broker = await proxied()
  const near = guesses(30).map((token, at) => [token, `2001:db8:0:1:${at}::${at}`] as const)
  expect(await guessAll(broker, near)).toEqual({ 401: COMPARED_MAX, 429: 20 })
  expect((await guess(broker, OPERATOR_TOKEN, '2001:db8:0:1::1')).status).toBe(429)
  expect((await guess(broker, OPERATOR_TOKEN, '2001:db8:0:2::1')).status).toBe(200)
})

test('[X17] without PUBLIC_URL a forwarded address is not believed', async () => {
  const broker = await guarded()
  const tokens = guesses(30).map((token, at) => [token, `203.0.113.${at}`] as const)
  expect(await guessAll(broker, tokens)).toEqual({ 401: COMPARED_MAX, 429: 20 })
})

test('[X17] a guess in a body counts like one in a header, and its answer says what to do', async () => {
  const broker = await guarded()
  const exchange = async (token: string) => {
    const response = await fetch(`${broker.url}/api/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  for (const token of guesses(5)) expect((await exchange(token)).status).toBe(401)
  for (const token of guesses(5)) expect((await guess(broker, token)).status).toBe(401)
  expect(await exchange(OPERATOR_TOKEN)).toMatchObject({
    status: 429,
    body: { code: 'too_many_attempts' },
  })
})

test('[X17] a valid token of a case, revoked or not, is never a guess', async () => {
  const broker = await guarded()
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${broker.url}${path}`, init)).json()
  }
  const { sessionId, tokens } = (await post('/api/session', {})) as {
    sessionId: string
    tokens: Record<'customer' | 'installer', string>
  }
  await post(`/api/threads/${sessionId}/tokens/revoke`, { token: tokens.customer })
  for (let count = 0; count < 20; count++) {
    expect((await guess(broker, tokens.customer)).status).toBe(401)
    expect((await guess(broker, tokens.installer)).status).toBe(401)
  }
  expect((await guess(broker, OPERATOR_TOKEN)).status).toBe(200)
})
