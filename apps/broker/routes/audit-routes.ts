import type { Context, Hono } from 'hono'
import { Pace, jsonList, readBody } from 'throughline/server/extend'
import type { LogRecord, View } from 'throughline'
import { REDACTED } from 'throughline/client'
import { ProblemError } from 'throughline/server'
import { z } from 'zod'
import {
  REPLAY_RUNS_DEFAULT,
  REPLAY_RUNS_MAX,
  compliance,
  replayDisclosures,
  timeline,
} from '../audit/index.ts'
import type { ComplianceSummary, ReplayParts, ReplaySummary } from '../audit/index.ts'
import { messagesFor } from './messages.ts'
import { enterCase, requireCase, seedText } from './session-routes.ts'
import type { SessionParts } from './session-routes.ts'

/** Records of a case that an audit reads; a case that grew past this is read through its stream. */
export const AUDIT_RECORDS_MAX = 100_000

export interface AuditParts extends SessionParts {
  readonly replay: ReplayParts
}

export function mountAuditRoutes(app: Hono, parts: AuditParts): void {
  app.get('/api/audit/:id', (context) => audit(context, parts))
  app.post('/api/audit/:id/replay', (context) => replay(context, parts))
}

async function audit(context: Context, parts: AuditParts): Promise<Response> {
  const { sessionId, entrant, view } = await allow(context, parts)
  await requireCase(parts, sessionId)
  return parts.quotas.read(entrant, () => audited(context, parts, { sessionId, view }))
}

async function audited(
  context: Context,
  parts: AuditParts,
  { sessionId, view }: { readonly sessionId: string; readonly view: View },
): Promise<Response> {
  const records = await readAll(parts, sessionId)
  const { state } = await parts.gate.state(sessionId)
  const { conversation } = await parts.gate.snapshot(sessionId)
  const texts: string[] = []
  const shown: LogRecord[] = []
  const pace = new Pace()
  for (const record of records) {
    shown.push(...[view.record(record) ?? []].flat())
    if (pace.isDue) await pace.rest()
  }
  for (const entry of timeline(shown)) {
    texts.push(JSON.stringify(entry))
    if (pace.isDue) await pace.rest()
  }
  const rest = {
    sessionId,
    case: (await view.state(sessionId)).state,
    compliance: shownCompliance(view, compliance(state.case, records)),
    customerMessages: messagesFor(view, conversation, 'customer'),
  }
  return jsonList(context, { name: 'timeline', texts, rest })
}

async function replay(context: Context, parts: AuditParts): Promise<Response> {
  const { sessionId, entrant, view } = await allow(context, parts)
  const body = await readBody(
    context,
    z.strictObject({
      n: z.int().min(1).max(REPLAY_RUNS_MAX).optional(),
      seed: seedText.optional(),
    }),
  )
  parts.quotas.takeTurn(entrant)
  if (body.seed !== undefined) await parts.seeds.hydrate(sessionId, body.seed)
  await requireCase(parts, sessionId)
  const { state } = await parts.gate.state(sessionId)
  if (state.case.disclosures.length === 0) {
    const detail = 'Cannot replay: no disclosure has been presented in this case'
    throw new ProblemError('invalid_body', 400, { detail })
  }
  const records = await readAll(parts, sessionId)
  const summary = await replayDisclosures(parts.replay, records, body.n ?? REPLAY_RUNS_DEFAULT)
  return context.json(shownReplay(view, summary))
}

async function allow(context: Context, parts: AuditParts) {
  const sessionId = context.req.param('id') ?? ''
  return { sessionId, ...(await enterCase(context, parts, { sessionId, among: ['auditor'] })) }
}

/** How many needs the customer named is personal; that they were asked is not. */
function shownCompliance({ isUnfiltered }: View, summary: ComplianceSummary): ComplianceSummary {
  return isUnfiltered ? summary : { ...summary, vulnerabilityIndicatorsCount: null }
}

/** The model has read the whole conversation, and may repeat it. */
function shownReplay({ isUnfiltered }: View, summary: ReplaySummary): ReplaySummary {
  if (isUnfiltered) return summary
  const disclosures = summary.disclosures.map((each) => ({
    ...each,
    failures: each.failures.map((failure) => ({ ...failure, snippet: REDACTED })),
  }))
  return { ...summary, disclosures }
}

async function readAll({ log }: AuditParts, sessionId: string): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  const pace = new Pace()
  for await (const batch of log.read(sessionId, { limit: AUDIT_RECORDS_MAX })) {
    records.push(...batch)
    await pace.rest()
  }
  return records
}
