import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Access } from './access.ts'
import { notFound } from './problem.ts'
import { readBody } from './request-body.ts'
import type { ThreadEntry } from './thread-entry.ts'
import type { TokenIssuer } from './token-issuer.ts'
import { ROLES, TOKEN_LENGTH_MAX } from './tokens.ts'
import type { Tokens } from './tokens.ts'

const role = z.enum(ROLES)
const issueBody = z.strictObject({ role })
const revokeBody = z.union([
  z.strictObject({ token: z.string().min(1).max(TOKEN_LENGTH_MAX) }),
  z.strictObject({ role }),
])

export interface TokenRouteParts {
  readonly tokens: Tokens
  readonly issuer: TokenIssuer
  readonly access: Access
  readonly entry: ThreadEntry
}

/** The routes by which the operator lets people into a thread and takes that back. */
export class TokenRoutes {
  readonly #parts: TokenRouteParts

  constructor(parts: TokenRouteParts) {
    this.#parts = parts
  }

  mount(app: Hono): void {
    const tokens = new Hono()
    tokens.post('/', (context) => this.#issue(context))
    tokens.post('/revoke', (context) => this.#revoke(context))
    app.route('/api/threads/:id/tokens', tokens)
  }

  /** Never open: on open loopback anybody may create a case, but a case always needs its token. */
  async #issue(context: Context): Promise<Response> {
    const { access, issuer } = this.#parts
    const thread = context.req.param('id') ?? ''
    await access.roleIn(context, thread, [])
    await this.#requireTokens(thread)
    const { role } = await readBody(context, issueBody)
    const { token, expiresAt } = await issuer.issue({ thread, role })
    return context.json({ token, thread, role, expires: new Date(expiresAt).toISOString() }, 201)
  }

  async #revoke(context: Context): Promise<Response> {
    const { access, tokens } = this.#parts
    const thread = context.req.param('id') ?? ''
    await access.requireOperatorIn(context, thread)
    await this.#requireTokens(thread)
    const body = await readBody(context, revokeBody)
    if ('role' in body) {
      const { seq, data } = await access.revocations.revokeRole(thread, body.role)
      return context.json({ seq, revoked: data })
    }
    const grant = await tokens.verify(body.token)
    if (grant?.thread !== thread) throw notFound('token')
    const { seq, data } = await access.revocations.revokeToken(grant)
    return context.json({ seq, revoked: data })
  }

  async #requireTokens(thread: string): Promise<void> {
    const owner = await this.#parts.entry.ownerOf(thread)
    if (owner?.entry !== 'token') throw notFound('thread')
  }
}
