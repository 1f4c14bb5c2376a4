import type { Hono } from 'hono'
import type { Context } from 'hono'
import type { EventLog, OpenedApp, View } from 'throughline'
import {
  firstRecord,
  notFound,
  readBody,
  readOptionalBody,
  shownView,
} from 'throughline/server/extend'
import type { Access, Entrant, Quotas } from 'throughline/server/extend'
import { z } from 'zod'
import { caseView } from '../case/index.ts'
import type { BrokerState } from '../case/index.ts'
import { DEMO_SCENARIOS } from '../lenders/index.ts'
import type { CaseLinks } from './case-links.ts'
import { DEFAULT_RETAILER } from './default-retailer.ts'
import { messagesFor, messagesOf } from './messages.ts'
import type { Side } from './messages.ts'
import { RecoverySeeds } from './recovery-seed.ts'
import type { SeedParts } from './recovery-seed.ts'

/** The longest recovery seed, in characters. */
export const SEED_LENGTH_MAX = 131_072

export const seedText = z.string().max(SEED_LENGTH_MAX)

const createBody = z.strictObject({
  retailerName: z.string().trim().min(1).max(120).optional(),
  demoScenario: z.enum(DEMO_SCENARIOS).optional(),
  /** One person plays both sides, so the audit reports no shared browser. */
  demo: z.boolean().optional(),
})

export interface SessionParts extends SeedParts {
  readonly opened: OpenedApp<BrokerState>
  readonly access: Access
  readonly quotas: Quotas
  readonly seeds: RecoverySeeds
  readonly links: CaseLinks
}

export function mountSessionRoutes(app: Hono, parts: SessionParts): void {
  app.post('/api/session', (context) => create(context, parts))
  app.get('/api/session/:id', (context) => show(context, parts))
  app.get('/api/session/:id/customer-link', (context) => customerLink(context, parts))
  app.post('/api/session/:id/seed', (context) => hydrate(context, parts))
}

async function create(context: Context, { access, gate, links, id, seeds }: SessionParts) {
  await access.requireOperator(context)
  const {
    retailerName = DEFAULT_RETAILER,
    demoScenario,
    demo: demonstration,
  } = (await readOptionalBody(context, createBody)) ?? {}
  const sessionId = id()
  const data = {
    sessionId,
    retailerName,
    ...(demoScenario ? { demoScenario } : {}),
    ...(demonstration ? { demonstration } : {}),
  }
  const origin = { source: 'system', depth: 0 } as const
  const { snapshot } = await gate.commit(sessionId, [
    { id: id(), type: 'case_created', data, origin },
  ])
  return context.json(
    {
      sessionId,
      case: caseView(snapshot.state, 'operator'),
      tokens: {
        installer: await links.token(sessionId, 'installer'),
        customer: await links.token(sessionId, 'customer'),
        auditor: await links.token(sessionId, 'auditor'),
      },
      links: {
        installer: await links.link(sessionId, 'installer'),
        customer: await links.link(sessionId, 'customer'),
        audit: await links.link(sessionId, 'auditor'),
      },
      seed: await seeds.build(sessionId),
    },
    201,
  )
}

async function show(context: Context, parts: SessionParts) {
  const sessionId = context.req.param('id') ?? ''
  const { entrant, view } = await enterCase(context, parts, { sessionId })
  await requireCase(parts, sessionId)
  const { role } = entrant
  const { conversation } = await parts.gate.snapshot(sessionId)
  const saidOn = (side: Side) => {
    if (role === side) return messagesOf(conversation, side)
    if (role !== 'auditor' && role !== 'operator') return undefined
    return messagesFor(view, conversation, side)
  }
  const [installerMessages, customerMessages] = [saidOn('installer'), saidOn('customer')]
  return context.json({
    sessionId,
    case: (await view.state(sessionId)).state,
    ...(installerMessages && { installerMessages }),
    ...(customerMessages && { customerMessages }),
    seed: await parts.seeds.build(sessionId),
  })
}

/** Made anew each time and recorded nowhere: asking for it changes nothing. */
async function customerLink(context: Context, parts: SessionParts) {
  const sessionId = context.req.param('id') ?? ''
  await entrantIn(context, parts, { sessionId, among: ['installer'] })
  await requireCase(parts, sessionId)
  const { state } = await parts.gate.state(sessionId)
  if (state.case.status === 'intake') throw notFound('link')
  context.header('cache-control', 'no-store')
  return context.json({ customerLink: await parts.links.link(sessionId, 'customer') })
}

async function hydrate(context: Context, parts: SessionParts) {
  const sessionId = context.req.param('id') ?? ''
  const { view } = await enterCase(context, parts, { sessionId })
  const { seed } = await readBody(context, z.strictObject({ seed: seedText }))
  const hydration = await parts.seeds.hydrate(sessionId, seed)
  await requireCase(parts, sessionId)
  // The page opened its link before this server knew the case.
  await parts.access.recordOpening(context, { thread: sessionId })
  return context.json({
    case: (await view.state(sessionId)).state,
    ...hydration,
    seed: await parts.seeds.build(sessionId),
  })
}

/** @throws {@link ProblemError} `not_found` when the log holds no such case */
export async function requireCase({ log }: SeedParts, sessionId: string): Promise<void> {
  if ((await caseOpenedAt(log, sessionId)) === undefined) throw notFound('case')
}

/** When a case was opened, in milliseconds since the epoch; `undefined` for a thread that is no case. */
export async function caseOpenedAt(log: EventLog, thread: string): Promise<number | undefined> {
  const first = await firstRecord(log, thread)
  const isCase = first?.type === 'case_created' || first?.type === 'case_hydrated'
  return isCase ? first.ts : undefined
}

/** Returns the sender of a request about a case; besides the operator only roles in `among`. */
export function entrantIn(
  context: Context,
  { access, opened: owner }: Pick<SessionParts, 'access' | 'opened'>,
  { sessionId: thread, among }: { readonly sessionId: string; readonly among?: readonly string[] },
): Promise<Entrant> {
  return access.entrantIn(context, { thread, owner, ...(among && { among }) })
}

/** The same, with what the request shows its sender: its role's view, or that of a reveal. */
export async function enterCase(
  context: Context,
  { access, opened: owner }: Pick<SessionParts, 'access' | 'opened'>,
  place: Parameters<typeof entrantIn>[2],
): Promise<{ readonly entrant: Entrant; readonly view: View }> {
  const entrant = await entrantIn(context, { access, opened: owner }, place)
  const { role, surface = role } = entrant
  const actor = access.actor(context, entrant)
  const as = { source: 'ui', surface, ...(actor !== undefined && { actor }) } as const
  const { view } = await shownView(context, { thread: place.sessionId, owner, role, as })
  return { entrant, view }
}
