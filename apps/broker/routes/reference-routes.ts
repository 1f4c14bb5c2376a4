import type { Context, Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import { notFound, readBody } from 'throughline/server/extend'
import { z } from 'zod'
import type { AddressLookup } from '../addresses/index.ts'
import { DISCLOSURE_IDS, nextStepsAfter } from '../disclosures/index.ts'
import type { DisclosureRegistry, FirmDetails } from '../disclosures/index.ts'
import { TERM_CHIPS_MONTHS, quote } from '../lenders/index.ts'
import { entrantIn, requireCase } from './session-routes.ts'
import type { SessionParts } from './session-routes.ts'

export interface ReferenceParts extends SessionParts {
  readonly disclosures: DisclosureRegistry
  readonly addresses: AddressLookup
  readonly firm: FirmDetails
  readonly now: () => number
}

/** Serves reference data: texts of disclosures, the firm, next steps, indicative quotes, addresses. */
export function mountReferenceRoutes(app: Hono, parts: ReferenceParts): void {
  app.get('/api/disclosures/:id', (context) => disclosure(context, parts))
  app.get('/api/firm', (context) => context.json(parts.firm))
  app.get('/api/session/:id/next-steps', (context) => nextSteps(context, parts))
  app.get('/api/quotes', (context) => quotes(context, parts))
  app.post('/api/address-lookup', (context) => addresses(context, parts))
}

function disclosure(context: Context, { disclosures, now }: ReferenceParts): Response {
  const id = DISCLOSURE_IDS.find((known) => known === context.req.param('id'))
  const version = context.req.query('version')
  if (version !== undefined && !/^\d{1,6}$/.test(version)) {
    const detail = 'Cannot look up the disclosure: version is a whole number'
    throw new ProblemError('invalid_query', 400, { detail })
  }
  const at = new Date(now()).toISOString()
  const found =
    id &&
    (version === undefined
      ? disclosures.current(id, at)
      : disclosures.disclosure(id, Number(version)))
  if (!found) throw notFound('disclosure')
  const { version: shown, title, keyFacts, body, contentHash, responseExpectation } = found
  return context.json({
    id,
    version: shown,
    title,
    keyFacts,
    body,
    contentHash,
    responseExpectation,
  })
}

async function nextSteps(context: Context, parts: ReferenceParts): Promise<Response> {
  const sessionId = context.req.param('id') ?? ''
  await entrantIn(context, parts, { sessionId, among: ['customer'] })
  await requireCase(parts, sessionId)
  const { caseOutcome } = (await parts.gate.state(sessionId)).state.case
  if (caseOutcome?.kind !== 'selected') return context.json({})
  return context.json(nextStepsAfter(caseOutcome.recordedAt, parts.firm))
}

async function quotes(context: Context, parts: ReferenceParts): Promise<Response> {
  const sessionId = context.req.query('sessionId') ?? ''
  await entrantIn(context, parts, { sessionId, among: ['customer'] })
  await requireCase(parts, sessionId)
  const { state } = await parts.gate.state(sessionId)
  const net = state.case.project.netLoanAmount
  const at = new Date(parts.now()).toISOString()
  const offered = net === undefined ? [] : TERM_CHIPS_MONTHS.map((term) => quote(net, term, at))
  return context.json({ quotes: offered })
}

async function addresses(context: Context, parts: ReferenceParts): Promise<Response> {
  const body = z.strictObject({ postcode: z.string().max(16) })
  const { postcode } = await readBody(context, body)
  const answer = await parts.addresses.lookupAddresses(postcode)
  if (!('refused' in answer)) return context.json(answer)
  const detail = 'Cannot look up addresses: the postcode is not one of the UK'
  throw new ProblemError('invalid_body', 400, { detail })
}
