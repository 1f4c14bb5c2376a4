import type { Hono } from 'hono'
import { readBody } from 'throughline/server/extend'
import { budgetGiven } from '../events/index.ts'
import { proposer } from './route-parts.ts'
import type { TeamRouteParts } from './route-parts.ts'

/** What the session may spend: people look at it, raise it, lower it, or take it away. */
export function mountBudget(app: Hono, parts: TeamRouteParts): void {
  const { access, team } = parts
  app.get('/api/session/budget', async (context) => {
    await access.requireOperator(context)
    return context.json(await team.budget())
  })
  app.post('/api/session/budget', async (context) => {
    await access.requireOperator(context)
    const given = await readBody(context, budgetGiven)
    return context.json(await team.setBudget(given, await proposer(context, parts)))
  })
}
