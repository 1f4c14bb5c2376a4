import type { OpenedApp, Throughline } from 'throughline'
import { KeyedRequests, TokenIssuer } from 'throughline/server/extend'
import type { Extension, Tokens } from 'throughline/server'
import { demoAddresses } from './addresses/index.ts'
import type { BrokerState } from './case/index.ts'
import type { Broker } from './definition.ts'
import { DEMO_FIRM } from './disclosures/index.ts'
import type { FirmDetails } from './disclosures/index.ts'
import type { ReplayParts } from './audit/index.ts'
import { mountAuditRoutes } from './routes/audit-routes.ts'
import { CaseLinks } from './routes/case-links.ts'
import { mountChatRoutes } from './routes/chat-routes.ts'
import { RecoverySeeds } from './routes/recovery-seed.ts'
import { mountReferenceRoutes } from './routes/reference-routes.ts'
import { caseOpenedAt, mountSessionRoutes } from './routes/session-routes.ts'
import { mountWebhookRoutes } from './routes/webhook-routes.ts'
import { DeadLetters, Outboxes, Webhooks } from './webhooks/index.ts'
import type { WebhookOptions } from './webhooks/index.ts'

export interface BrokerServiceParts extends Broker {
  /** Has the broker open. */
  readonly throughline: Throughline
  readonly tokens: Tokens
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  /** Another system that gets webhooks about cases; none unless it is given. */
  readonly webhooks?: WebhookOptions
  /** The origin under which people reach the pages; without it links are paths. */
  readonly publicUrl?: string
  /** The firm's contact details; by default placeholders. */
  readonly firm?: FirmDetails
}

/** The broker's routes for the server, and its webhooks, which need a configured receiver. */
export interface BrokerService {
  readonly extension: Extension
  readonly webhooks: Webhooks | undefined
}

/** The broker’s routes and webhooks over applications that are open. */
export function brokerService(parts: BrokerServiceParts): BrokerService {
  const { throughline, app, disclosures, tokens, id, now, firm = DEMO_FIRM } = parts
  const { log } = throughline
  const opened = throughline.app(app)
  const { gate } = opened
  const links = new CaseLinks({ ...parts, issuer: new TokenIssuer({ tokens, log }) })
  const { webhooks, deadLetters } = webhooksAndDeadLetters({ ...parts, opened, links })
  const seeds = new RecoverySeeds({ log, gate, tokens, id })
  return {
    webhooks,
    extension: {
      carries: { app: app.name, name: 'seed', value: (thread) => seeds.build(thread) },
      mount(hono, { access, quotas, startRun }) {
        const session = { log, gate, tokens, id, access, quotas, seeds, links, opened }
        const keyed = new KeyedRequests()
        mountSessionRoutes(hono, session)
        mountChatRoutes(hono, { ...session, startRun, now })
        mountAuditRoutes(hono, { ...session, replay: replayOf(parts) })
        mountWebhookRoutes(hono, { access, log, keyed, deadLetters })
        const looked = { disclosures, firm, addresses: demoAddresses, now }
        mountReferenceRoutes(hono, { ...session, ...looked })
      },
    },
  }
}

function replayOf({ app, disclosures }: Broker): ReplayParts {
  const narrator = app.agents.find(({ surface }) => surface === 'customer')
  if (!narrator) throw new TypeError('Cannot replay: no agent has the surface "customer"')
  return { domain: app.domain, narrator, disclosures }
}

interface WebhookParts extends BrokerServiceParts {
  readonly opened: OpenedApp<BrokerState>
  readonly links: CaseLinks
}

/** Webhooks where a receiver is named, and what an operator does about those that it did not take. */
function webhooksAndDeadLetters({ webhooks: options, links, ...parts }: WebhookParts) {
  const { log, cursors } = parts.throughline
  const { gate } = parts.opened
  const outboxes = new Outboxes({ log, domain: gate.domain })
  const openedAt = (thread: string) => caseOpenedAt(log, thread)
  const customerLink = (thread: string) => links.link(thread, 'customer')
  const shared = { ...parts, log, cursors, gate, outboxes, openedAt }
  const webhooks = options && new Webhooks({ ...shared, ...options, customerLink })
  const receiver = options ? 'named' : 'none'
  return { webhooks, deadLetters: new DeadLetters({ ...shared, receiver }) }
}
