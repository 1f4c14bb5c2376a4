import type { EventLog } from 'throughline/log'
import { Tokens } from 'throughline/server'
import { onTestFinished } from 'vitest'
import { SECRET } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { serveAgents } from '../../src/server/served-agents.fixture.ts'
import { busyAgents, busyCase } from './busy-thread.fixture.ts'
import { startProxy } from './proxy.fixture.ts'
import type { Fault } from './proxy.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

/** A case behind a real server, with a token for its customer. */
export async function serveCase(log = memoryLog()) {
  const server = await testBroker({ log })
  const busy = await busyCase(log)
  const grant = { thread: busy.thread, role: 'customer', generation: 0 } as const
  const { token } = await new Tokens([SECRET]).issue(grant)
  return { ...reachable(log, server, busy), token }
}

/** A thread of agents behind a real server that lets everybody on this machine in. */
export async function serveOffice(log = memoryLog()) {
  const server = await serveAgents({ log })
  return reachable(log, server, await busyAgents(log))
}

function reachable<Busy extends { readonly thread: string }>(
  log: EventLog,
  server: { readonly url: string },
  busy: Busy,
) {
  const path = `/api/threads/${busy.thread}/events`
  return { log, busy, events: `${server.url}${path}`, path, origin: server.url }
}

/** A server's address as it is reached through a proxy that does harm. */
export async function through(upstream: string, nextFault: () => Fault) {
  const proxy = await startProxy(upstream, nextFault)
  onTestFinished(() => proxy.close())
  return proxy
}
