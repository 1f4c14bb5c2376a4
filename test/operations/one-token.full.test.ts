import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, startServer } from '../server-process.fixture.ts'

/** Records of the long thread: refusals, in requests of as many events as one may bring. */
const REQUESTS = 400
const EVENTS_PER_REQUEST = 50
const MEASURED_MS = 8_000
/** Requests that the one token has under way all the time. */
const WORKERS = 16

interface Case {
  readonly sessionId: string
  readonly tokens: Readonly<Record<'customer' | 'auditor', string>>
}

function asker(url: string) {
  return async (token: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    await response.arrayBuffer()
    return response.status
  }
}

async function openStream(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(url, { headers })
  await response.body?.cancel()
  return response.status
}

async function begin(url: string): Promise<Case> {
  const response = await fetch(`${url}/api/session`, { method: 'POST' })
  return (await response.json()) as Case
}

function p99(latencies: readonly number[]): number {
  return latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length * 0.99)] ?? 0
}

test('[X20] one token at full tilt: it gets 429, and every request of another token is answered', async ({
  annotate,
}) => {
  const server = await startServer({
    DATA_DIR: await emptyFolder(),
    SECRET: 'of this test and long enough to start',
  })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const ask = asker(server.url)
  const [greedy, other] = [await begin(server.url), await begin(server.url)]
  const path = `/api/threads/${greedy.sessionId}`
  const events = Array.from({ length: EVENTS_PER_REQUEST }, () => ({ type: 'unknown', data: {} }))
  for (let n = 0; n < REQUESTS; n++) await ask(greedy.tokens.customer, `${path}/events`, { events })

  const measure = async () => {
    const latencies: number[] = []
    const statuses = new Set<number>()
    const end = performance.now() + MEASURED_MS
    while (performance.now() < end) {
      const since = performance.now()
      const { customer } = other.tokens
      statuses.add(await ask(customer, `/api/threads/${other.sessionId}/state`))
      statuses.add(
        await ask(customer, `/api/threads/${other.sessionId}/events`, { events: [events[0]] }),
      )
      latencies.push(performance.now() - since)
    }
    return { p99: p99(latencies), statuses: [...statuses], asked: 2 * latencies.length }
  }
  const quiet = await measure()

  let attacking = true
  const answered = new Map<number, number>()
  const { customer, auditor } = greedy.tokens
  const at = REQUESTS * EVENTS_PER_REQUEST - 1
  const acts = [
    () => ask(auditor, `${path}/state?at=${at}`),
    () => ask(auditor, `${path}/events?limit=10000`),
    () => ask(auditor, `${path}/verify`),
    () => ask(auditor, `${path}/export`),
    () => ask(auditor, `/api/audit/${greedy.sessionId}`),
    () => ask(customer, `${path}/runs`, { agent: 'customer', input: 'Hi' }),
    () => openStream(`${server.url}${path}/events`, customer),
  ]
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let n = worker; attacking; n++) {
      const status = (await acts[n % acts.length]?.()) ?? 0
      answered.set(status, (answered.get(status) ?? 0) + 1)
    }
  })
  const attacked = await measure()
  attacking = false
  await Promise.all(workers)

  expect(attacked.statuses).toEqual([200])
  expect(answered.get(429)).toBeGreaterThan(0)
  const figures = [quiet.p99, attacked.p99].map((ms) => `${ms.toFixed(1)} ms`).join(' and ')
  const tally = [...answered].map(([status, count]) => `${count} × ${status}`).join(', ')
  await annotate(
    `one token got ${tally}; 0 of ${attacked.asked} requests of another token refused; its p99 ${figures}`,
    'promise',
  )
})
