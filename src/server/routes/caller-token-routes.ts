import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Throughline } from '../../application/index.ts'
import { quotedNames } from '../../json/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { readBody } from './request-body.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { TokenRouteParts } from './token-routes.ts'
import {
  CALLER_AGENTS_MAX,
  CALLER_LIFETIME_S_MAX,
  SUBJECT_CHARS_MAX,
  TOKEN_LIFETIME_S,
} from '../access/tokens.ts'

/** An opaque id that goes on record: printable characters alone. */
const subject = z
  .string()
  .min(1)
  .max(SUBJECT_CHARS_MAX)
  .refine((text) => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), {
    message: 'must hold no control characters or halves of characters',
  })

const issueBody = z.strictObject({
  subject,
  agents: z.array(z.string().min(1).max(64)).min(1).max(CALLER_AGENTS_MAX),
  expiresInS: z.int().min(1).max(CALLER_LIFETIME_S_MAX).exactOptional(),
})
const revokeBody = z.strictObject({ id: z.guid().toLowerCase() })

export const CALLER_TOKEN_ROUTES: RouteDescriptions = {
  'POST /api/tokens': {
    summary: 'Issues a token for a caller of agents',
    body: issueBody,
    status: 201,
  },
  'POST /api/tokens/revoke': { summary: 'Revokes a token of a caller', body: revokeBody },
}

export function mountCallerTokenRoutes(app: Hono, parts: TokenRouteParts): void {
  const tokens = new Hono()
  tokens.post('/', (context) => issue(context, parts))
  tokens.post('/revoke', (context) => revoke(context, parts))
  app.route('/api/tokens', tokens)
}

async function issue(context: Context, parts: TokenRouteParts): Promise<Response> {
  const { access, tokens } = parts
  await access.requireOperator(context)
  const { expiresInS: lifetimeS = TOKEN_LIFETIME_S, ...body } = await readBody(context, issueBody)
  const agents = [...new Set(body.agents)]
  requireServed(parts.throughline, agents)
  const { token, id, expiresAt } = await tokens.issueCaller({ ...body, agents }, lifetimeS)
  const expires = new Date(expiresAt).toISOString()
  return context.json({ token, id, subject: body.subject, agents, expiresAt: expires }, 201)
}

async function revoke(context: Context, parts: TokenRouteParts): Promise<Response> {
  await parts.access.requireOperator(context)
  const { id } = await readBody(context, revokeBody)
  const { seq, data } = await parts.access.revokedCallers.add(id)
  return context.json({ seq, revoked: data })
}

function requireServed({ apps }: Throughline, agents: readonly string[]): void {
  const served = apps.flatMap((app) =>
    app.app.agents.map(({ name }) => name).filter((name) => app.beginsWith(name)),
  )
  const unknown = agents.filter((name) => !served.includes(name))
  if (unknown.length === 0) return
  const why = `no thread begins with ${quotedNames(unknown)}`
  const mend = served.length === 0 ? 'no agent here begins one' : `give ${quotedNames(served)}`
  const detail = `Cannot issue a token: ${why}; ${mend}`
  throw new ProblemError('invalid_body', 400, { detail, more: { agents: served } })
}
