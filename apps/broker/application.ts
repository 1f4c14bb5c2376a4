import type { LanguageModel } from 'throughline/models'
import { Gate } from 'throughline/gate'
import type { Cursors, EventLog, Holdings, Sha256 } from 'throughline/log'
import { Runs } from 'throughline/agents'
import type { ThreadLimits } from 'throughline/step'
import { KeyedRequests, TokenIssuer, threadFace } from 'throughline/server'
import type { Application, Tokens } from 'throughline/server'
import { demoAddresses } from './addresses/index.ts'
import { brokerDomain, caseView, recordView, waterfallRunner } from './case/index.ts'
import type { BrokerState } from './case/index.ts'
import { brokerDisclosures, disclosureRegistry } from './disclosures/index.ts'
import { builtInPanel } from './lenders/index.ts'
import type { LenderPanel } from './lenders/index.ts'
import { narrators } from './narrator/index.ts'
import { mountAuditRoutes } from './routes/audit-routes.ts'
import { CaseLinks } from './routes/case-links.ts'
import { mountChatRoutes } from './routes/chat-routes.ts'
import { RecoverySeeds } from './routes/recovery-seed.ts'
import { mountReferenceRoutes } from './routes/reference-routes.ts'
import { caseOpenedAt, mountSessionRoutes } from './routes/session-routes.ts'
import { WebhookRoutes } from './routes/webhook-routes.ts'
import { DeadLetters, JOURNEY_IDLE_MS, Outboxes, Webhooks } from './webhooks/index.ts'
import type { WebhookOptions } from './webhooks/index.ts'

export interface BrokerParts {
  readonly log: EventLog
  /** Where it is kept which cases have webhooks to send; without them each start looks at all cases. */
  readonly cursors?: Cursors | undefined
  readonly model: LanguageModel
  readonly tokens: Tokens
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  readonly sha256: Sha256
  /** Milliseconds before a failed model call is made once more. */
  readonly retryDelayMs?: number
  /** What the narrators may use in one case. */
  readonly threadLimits?: ThreadLimits
  /** Shares the leases of threads between all that work in them in this process. */
  readonly holdings?: Holdings
  /** Learns of faults in work that no request waits for. */
  readonly onFault?: (error: unknown, thread: string) => void
  /** Who decides on applications. The built-in lenders, unless it is given. */
  readonly panel?: LenderPanel
  /** Another system that is told of what happens in cases; nobody, unless it is given. */
  readonly webhooks?: WebhookOptions
  /** The origin under which people reach the pages; without it links are paths. */
  readonly publicUrl?: string
}

const VIEWS = { state: caseView, record: recordView, whole: ['auditor', 'operator'] } as const

/** Puts the broker together: its domain behind one gate, its narrators in front of it. */
export function brokerApplication(parts: BrokerParts): Application {
  const { log, id, now, tokens, model, panel = builtInPanel } = parts
  const idleMs = parts.webhooks && (parts.webhooks.idleMs ?? JOURNEY_IDLE_MS)
  const disclosures = disclosureRegistry(brokerDisclosures(panel.lenders), parts.sha256)
  const domain = brokerDomain({ disclosures, idleMs })
  const links = new CaseLinks({ ...parts, issuer: new TokenIssuer(parts) })
  const gate = new Gate({ ...parts, domain })
  const { webhooks, deadLetters } = webhooksAndDeadLetters({ ...parts, gate, links })
  const effects = { waterfall: waterfallRunner(panel) }
  const chat = narrators({ model, domain, now })
  const agents = [chat.installer, chat.customer]
  const runs = new Runs<BrokerState>({ ...parts, gate, agents, effects })
  const seeds = new RecoverySeeds({ log, gate, tokens, id })
  return {
    name: 'broker',
    opens: ['case_created', 'case_hydrated'],
    entry: 'token',
    // Each role may cancel the turns on its own surface, and no others.
    cancelling: {
      roles: ['installer', 'customer'],
      cancel: (thread, request) => runs.cancel(thread, request),
    },
    face: {
      ...threadFace(gate, VIEWS, runs),
      answerMembers: async (thread) => ({ seed: await seeds.build(thread) }),
    },
    routes(app, { access, quotas }) {
      const session = { log, gate, tokens, id, access, quotas, seeds, links }
      const keyed = new KeyedRequests()
      const replay = { domain, narrator: chat.customer, disclosures }
      mountSessionRoutes(app, session)
      mountChatRoutes(app, { ...session, runs, keyed, now })
      mountAuditRoutes(app, { ...session, replay })
      new WebhookRoutes({ access, log, deadLetters }).mount(app)
      mountReferenceRoutes(app, { ...session, disclosures, addresses: demoAddresses, now })
    },
    recover: (thread) => runs.recover(thread),
    workVersion: `idle ${idleMs ?? 'never'}`,
    dueAt: (thread) => runs.dueAt(thread),
    moved: (thread) => runs.look(thread),
    takeUp: async (thread, dueAt) => runs.wakeAt(thread, dueAt),
    start: () => webhooks?.start(),
    async drain(graceMs) {
      await Promise.all([runs.drain(graceMs), webhooks?.close(graceMs)])
    },
  }
}

interface WebhookParts extends BrokerParts {
  readonly gate: Gate<BrokerState>
  readonly links: CaseLinks
}

/** Webhooks where a receiver is named, and what an operator does about those that it did not take. */
function webhooksAndDeadLetters({ webhooks: options, links, ...parts }: WebhookParts) {
  const { log, gate } = parts
  const outboxes = new Outboxes({ log, domain: gate.domain })
  const openedAt = (thread: string) => caseOpenedAt(log, thread)
  const customerLink = (thread: string) => links.link(thread, 'customer')
  const shared = { ...parts, outboxes, openedAt }
  const webhooks = options && new Webhooks({ ...shared, ...options, customerLink })
  const receiver = options ? 'named' : 'none'
  return { webhooks, deadLetters: new DeadLetters({ ...shared, receiver }) }
}
