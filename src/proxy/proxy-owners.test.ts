import { expect, onTestFinished, test } from 'vitest'
import { loopback, text } from '../programs/loopback.fixture.ts'
import { noPostgres, postgresServer } from '../storage/postgres/postgres-server.fixture.ts'
import { openProxy } from './open-proxy.ts'
import { PROXY_DEFAULTS, pageOf } from './proxy.fixture.ts'

const postgres = postgresServer()

async function pageOfOneMore(agent: string, store: string) {
  const proxy = await openProxy({ ...PROXY_DEFAULTS, agent, store, ownerHeader: 'x-user' })
  onTestFinished(() => proxy.close())
  return pageOf(proxy.url)
}

const ann = { headers: { 'x-user': 'ann' } }
const bob = { headers: { 'x-user': 'bob' } }

test.skipIf(noPostgres)(
  'a thread that was named in vain at one proxy belongs to whoever begins it at another',
  async () => {
    const agent = await loopback(() => text('m1', 'A word for Ann.'))
    const store = await postgres.newDatabase()
    const one = await pageOfOneMore(agent.url, store)
    const other = await pageOfOneMore(agent.url, store)
    expect((await other.connect({}, bob)).status).toBe(200)
    expect((await one.ask('Hello', {}, ann)).text).toContain('A word for Ann.')
    const read = await other.connect({}, bob)
    expect(read.text).not.toContain('A word for Ann.')
    expect(read.status).toBe(403)
    expect((await other.connect({}, ann)).text).toContain('A word for Ann.')
  },
)

test('a thread that nobody has begun is kept for the first who names it', async () => {
  const agent = await loopback(() => text('m1', 'A word for Ann.'))
  const page = await pageOfOneMore(agent.url, 'memory:')
  expect((await page.connect({}, ann)).status).toBe(200)
  expect((await page.connect({}, bob)).status).toBe(403)
  expect((await page.ask('Hello', {}, ann)).text).toContain('A word for Ann.')
  expect((await page.connect({}, bob)).status).toBe(403)
})

test.skipIf(noPostgres)(
  'of two who begin a thread in one instant at two proxies one alone is let in',
  async () => {
    const agent = await loopback(() => text('m1', 'A word for one.'))
    const store = await postgres.newDatabase()
    const one = await pageOfOneMore(agent.url, store)
    const other = await pageOfOneMore(agent.url, store)
    for (let n = 0; n < 8; n++) {
      const at = { threadId: `thread-${n}` }
      const answers = await Promise.all([one.ask('Hi', at, ann), other.ask('Hi', at, bob)])
      const letIn = answers.filter(({ text: shown }) => shown.includes('A word for one.'))
      expect(letIn).toHaveLength(1)
    }
  },
)
