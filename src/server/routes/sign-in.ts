import type { Hono } from 'hono'
import { z } from 'zod'
import { EXCHANGE_PURPOSES } from '../access/token-access.ts'
import type { TokenAccess } from '../access/token-access.ts'
import { TOKEN_LENGTH_MAX } from '../access/tokens.ts'
import { readBody } from './request-body.ts'
import type { RouteDescriptions } from './route-description.ts'

const exchangeBody = z.strictObject({
  token: z.string().max(TOKEN_LENGTH_MAX),
  purpose: z.enum(EXCHANGE_PURPOSES).optional(),
})

export const SIGN_IN_ROUTES: RouteDescriptions = {
  'POST /api/token': { summary: 'Exchanges a token for a cookie', body: exchangeBody },
  'DELETE /api/token': { summary: 'Signs the browser out' },
}

/** The exchange of tokens for cookies, and back. */
export function mountSignIn(app: Hono, access: TokenAccess): void {
  app.post('/api/token', async (context) => {
    return context.json(await access.exchange(context, await readBody(context, exchangeBody)))
  })
  app.delete('/api/token', async (context) => {
    await access.signOut(context)
    return context.json({ signedOut: true })
  })
}
