import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import type { OpenedApp, Throughline } from '../../application/index.ts'
import { quotedNames } from '../../json/index.ts'
import type { ThreadToEnter } from '../access/access.ts'
import { ProblemError, notFound } from '../problems/problem.ts'
import { readBody, readOptionalBody } from './request-body.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { TokenAccess } from '../access/token-access.ts'
import type { TokenIssuer } from '../access/token-issuer.ts'
import { ROLE_CHARS_MAX, TOKEN_LENGTH_MAX } from '../access/tokens.ts'
import type { Tokens } from '../access/tokens.ts'

const role = z.string().min(1).max(ROLE_CHARS_MAX)
const issueBody = z.strictObject({ role })
const revokeBody = z.union([
  z.strictObject({ token: z.string().min(1).max(TOKEN_LENGTH_MAX) }),
  z.strictObject({ role }),
])

const openedBody = z.strictObject({})

export const TOKEN_ROUTES: RouteDescriptions = {
  'POST /api/threads/:id/tokens': {
    summary: 'Issues a token for a role in a thread',
    body: issueBody,
    status: 201,
  },
  'POST /api/threads/:id/tokens/revoke': {
    summary: 'Revokes a token, or all of a role',
    body: revokeBody,
  },
  'POST /api/threads/:id/opened': {
    summary: 'Records that a page was opened by its link',
    body: openedBody,
    isBodyOptional: true,
  },
}

export interface TokenRouteParts {
  readonly tokens: Tokens
  readonly issuer: TokenIssuer
  readonly access: TokenAccess
  readonly throughline: Throughline
}

export function mountTokenRoutes(app: Hono, parts: TokenRouteParts): void {
  const tokens = new Hono()
  tokens.post('/', (context) => issue(context, parts))
  tokens.post('/revoke', (context) => revoke(context, parts))
  app.route('/api/threads/:id/tokens', tokens)
  app.post('/api/threads/:id/opened', (context) => opened(context, parts))
}

/** Never open: on open loopback anybody may create a case, but a case always needs its token. */
async function issue(context: Context, parts: TokenRouteParts): Promise<Response> {
  const { access, issuer } = parts
  const { thread, owner } = await admit(context, parts, (place) =>
    access.entrantIn(context, { ...place, among: [] }),
  )
  const { role } = await readBody(context, issueBody)
  requireRole(owner, role)
  const { token, expiresAt } = await issuer.issue({ thread, role })
  return context.json({ token, thread, role, expires: new Date(expiresAt).toISOString() }, 201)
}

async function revoke(context: Context, parts: TokenRouteParts): Promise<Response> {
  const { access, tokens } = parts
  const { thread, owner } = await admit(context, parts, (place) =>
    access.requireOperatorIn(context, place),
  )
  const body = await readBody(context, revokeBody)
  if ('role' in body) {
    requireRole(owner, body.role)
    const { seq, data } = await access.revocations.revokeRole(thread, body.role)
    return context.json({ seq, revoked: data })
  }
  const grant = await tokens.verify(body.token)
  if (grant?.thread !== thread) throw notFound('token')
  const { seq, data } = await access.revocations.revokeToken(grant)
  return context.json({ seq, revoked: data })
}

/** An empty thread is answered as well: its case may still come from a recovery seed. */
async function opened(context: Context, parts: TokenRouteParts): Promise<Response> {
  await parts.access.requireCredentials(context)
  await readOptionalBody(context, openedBody)
  const thread = context.req.param('id') ?? ''
  const owner = await parts.throughline.ownerOf(thread)
  await parts.access.recordOpening(context, { thread, owner })
  return context.json({})
}

async function admit(
  context: Context,
  parts: TokenRouteParts,
  requireOperator: (place: ThreadToEnter) => Promise<unknown>,
): Promise<{ readonly thread: string; readonly owner: OpenedApp }> {
  const thread = context.req.param('id') ?? ''
  const owner = await parts.throughline.ownerOf(thread)
  await requireOperator({ thread, owner })
  // Without declared roles no token can be issued.
  if (!owner || !owner.hasRoles) throw notFound('thread')
  return { thread, owner }
}

function requireRole({ name, app }: OpenedApp, role: string): void {
  if (app.roles.has(role)) return
  const known = quotedNames(app.roles.keys())
  const detail = `Cannot name the role "${role}": "${name}" has ${known}`
  throw new ProblemError('invalid_body', 400, { detail })
}
