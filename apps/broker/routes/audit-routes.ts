import type { Context, Hono } from 'hono'
import { Pace } from 'throughline/thread'
import type { LogRecord } from 'throughline/log'
import { ProblemError, jsonList, readBody } from 'throughline/server'
import { z } from 'zod'
import {
  REPLAY_RUNS_DEFAULT,
  REPLAY_RUNS_MAX,
  compliance,
  replayDisclosures,
  timeline,
} from '../audit/index.ts'
import type { ReplayParts } from '../audit/index.ts'
import { messagesOf } from './messages.ts'
import { entrantIn, requireCase, seedText } from './session-routes.ts'
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
  const { sessionId, entrant } = await allow(context, parts)
  await requireCase(parts, sessionId)
  return parts.quotas.read(entrant, () => audited(context, parts, sessionId))
}

async function audited(context: Context, parts: AuditParts, sessionId: string): Promise<Response> {
  const records = await readAll(parts, sessionId)
  const { state } = await parts.gate.state(sessionId)
  const { conversation } = await parts.gate.snapshot(sessionId)
  const texts: string[] = []
  const pace = new Pace()
  for (const entry of timeline(records)) {
    texts.push(JSON.stringify(entry))
    if (pace.isDue) await pace.rest()
  }
  const rest = {
    sessionId,
    case: state.case,
    compliance: compliance(state.case, records),
    customerMessages: messagesOf(conversation, 'customer'),
  }
  return jsonList(context, { name: 'timeline', texts, rest })
}

async function replay(context: Context, parts: AuditParts): Promise<Response> {
  const { sessionId, entrant } = await allow(context, parts)
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
  return context.json(await replayDisclosures(parts.replay, records, body.n ?? REPLAY_RUNS_DEFAULT))
}

async function allow(context: Context, parts: AuditParts) {
  const sessionId = context.req.param('id') ?? ''
  const entrant = await entrantIn(context, parts, { sessionId, among: ['auditor'] })
  return { sessionId, entrant }
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
