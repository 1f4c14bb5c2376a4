import type { LanguageModel } from 'throughline/agents'
import { Gate } from 'throughline/gate'
import type { EventLog, Sha256 } from 'throughline/log'
import { KeyedRequests, threadFace } from 'throughline/server'
import type { Application, Tokens } from 'throughline/server'
import { Turns } from 'throughline/turn'
import { demoAddresses } from './addresses/index.ts'
import { brokerDomain, caseView, recordView, waterfallRunner } from './case/index.ts'
import type { BrokerState } from './case/index.ts'
import { brokerDisclosures, disclosureRegistry } from './disclosures/index.ts'
import { builtInPanel } from './lenders/index.ts'
import type { LenderPanel } from './lenders/index.ts'
import { narrators } from './narrator/index.ts'
import { mountAuditRoutes } from './routes/audit-routes.ts'
import { mountChatRoutes } from './routes/chat-routes.ts'
import { RecoverySeeds } from './routes/recovery-seed.ts'
import { mountReferenceRoutes } from './routes/reference-routes.ts'
import { mountSessionRoutes } from './routes/session-routes.ts'

export interface BrokerParts {
  readonly log: EventLog
  readonly model: LanguageModel
  readonly tokens: Tokens
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  readonly sha256: Sha256
  /** Milliseconds before a failed model call is made once more. */
  readonly retryDelayMs?: number
  /** Who decides on applications. The built-in lenders, unless it is given. */
  readonly panel?: LenderPanel
}

/** Puts the broker together: its domain behind one gate, its narrators in front of it. */
export function brokerApplication(parts: BrokerParts): Application {
  const { log, id, now, tokens, model, panel = builtInPanel } = parts
  const disclosures = disclosureRegistry(brokerDisclosures(panel.lenders), parts.sha256)
  const domain = brokerDomain({ disclosures })
  const gate = new Gate<BrokerState>({ ...parts, domain })
  const caseNow = async (thread: string) => (await gate.snapshot(thread)).state.case
  const runners = { waterfall: waterfallRunner(panel, caseNow) }
  const turns = new Turns<BrokerState>({ ...parts, gate, runners })
  const seeds = new RecoverySeeds({ log, gate, tokens, id })
  return {
    name: 'broker',
    opens: ['case_created', 'case_hydrated'],
    entry: 'token',
    face: threadFace(gate, { state: caseView, record: recordView }),
    routes(app, { access }) {
      const session = { log, gate, tokens, id, access, seeds }
      const keyed = new KeyedRequests()
      const chat = narrators(model)
      const replay = { domain, narrator: chat.customer, disclosures }
      mountSessionRoutes(app, session)
      mountChatRoutes(app, { ...session, turns, narrators: chat, keyed })
      mountAuditRoutes(app, { ...session, replay })
      mountReferenceRoutes(app, { ...session, disclosures, addresses: demoAddresses, now })
    },
    recover: (thread) => turns.recover(thread),
    takeUp: (thread) => turns.takeUp(thread),
    drain: (graceMs) => turns.drain(graceMs),
  }
}
