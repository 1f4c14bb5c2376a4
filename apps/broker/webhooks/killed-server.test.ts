import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chance } from '../../../test/chance.fixture.ts'
import { emptyFolder, startServer } from '../../../test/server-process.fixture.ts'
import type { ServerProcess } from '../../../test/server-process.fixture.ts'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { Journey, handOver } from '../journeys/journey.fixture.ts'
import { revealingAuditor } from '../journeys/revealing-auditor.fixture.ts'
import type { RevealingAuditor } from '../journeys/revealing-auditor.fixture.ts'
import type { ServedBroker } from '../journeys/served-broker.fixture.ts'
import { SECRET, notedIn, receiver } from './receiver.fixture.ts'

const KILLS = timesInTier({ quick: 2, full: 20 })

// A journey over HTTP needs the address only; its records are read through the API.
const asBroker = ({ url }: ServerProcess) => ({ url }) as ServedBroker

async function deliveredIn({ read }: RevealingAuditor, { sessionId }: Journey) {
  const { body } = await read(`/api/threads/${sessionId}/events?limit=10000`)
  const records = body['records'] as unknown as Parameters<typeof notedIn>[0]
  return notedIn(records).filter(({ name }) => name === 'webhook_delivered')
}

test('[broker 15] a server killed while it sends sends again under the same id, and records each delivery once', async () => {
  const random = chance(20_261_121)
  const slow = (response: { writeHead(status: number): { end(): void } }) =>
    void setTimeout(() => response.writeHead(204).end(), 40)
  const { url, received } = await receiver(0, slow)
  const env = { DATA_DIR: await emptyFolder(), WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET }
  const journeys: Journey[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await startServer(env)
    const journey = await Journey.start(asBroker(server))
    journeys.push(journey)
    await handOver(journey)
    // Before it is sent, while the receiver thinks, or after it has answered.
    await pause(random() * 120)
    await server.end('SIGKILL')
  }
  const server = await startServer(env)
  for (const journey of journeys) {
    const wait = { timeout: 10_000, interval: 50 }
    const auditor = await revealingAuditor(journey, server)
    await expect.poll(() => deliveredIn(auditor, journey), wait).toHaveLength(1)
    const [done] = await deliveredIn(auditor, journey)
    const own = received.filter(({ sessionId }) => sessionId === journey.sessionId)
    expect(own.length).toBeGreaterThan(0)
    expect([...new Set(own.map(({ delivery }) => delivery.id))]).toEqual([done?.delivery])
  }
  expect(received.every(({ signed }) => signed)).toBe(true)
  await server.end('SIGTERM')
}, 120_000)
