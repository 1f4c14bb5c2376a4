import { Runs } from '../../src/agents/index.ts'
import { defineDomain } from '../../src/domain/index.ts'
import { Gate } from '../../src/gate/index.ts'
import type { EventLog } from '../../src/log/index.ts'
import { remoteAgent } from '../../src/programs/index.ts'
import { sha256, uuidv7 } from '../../src/storage/index.ts'

/** One agent that answers from another server. */
export function remoteClerk(log: EventLog, url: string) {
  const domain = defineDomain<object>().domain({ name: 'talk', initial: {}, events: {} })
  const gate = new Gate({ log, domain, sha256, now: Date.now, id: uuidv7 })
  const agents = [remoteAgent<object>({ name: 'clerk', url })]
  const runs = new Runs({ gate, log, agents, sha256, id: uuidv7, retryDelayMs: 0 })
  return { gate, runs }
}
