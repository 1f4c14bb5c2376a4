import type { Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import { readBody, readOptionalBody } from 'throughline/server/extend'
import { z } from 'zod'
import { permissionAnswered } from '../events/index.ts'
import { nothing, proposer } from './route-parts.ts'
import type { TeamRouteParts } from './route-parts.ts'

const answerBody = permissionAnswered.refine(
  ({ approved, always }) => approved || always === undefined,
  { path: ['always'], error: 'only a yes can hold always' },
)

/** People's answers to what the program asks permission for, and the rules that they make of them. */
export function mountPermissions(app: Hono, parts: TeamRouteParts): void {
  const { access, team, id } = parts
  app.post('/api/permissions', async (context) => {
    await access.requireOperator(context)
    const answer = await readBody(context, answerBody)
    await team.answerPermission({ answer, ruleId: id() }, await proposer(context, parts))
    return context.json({ ok: true })
  })
  app.get('/api/permission-rules', async (context) => {
    await access.requireOperator(context)
    const rules = (await team.rules()).map(({ ts, ...rule }) => {
      return { ...rule, createdAt: new Date(ts).toISOString() }
    })
    return context.json({ rules })
  })
  app.post('/api/permission-rules/:rule/remove', async (context) => {
    await access.requireOperator(context)
    await readOptionalBody(context, nothing)
    await team.removeRule(ruleIdOf(context.req.param('rule')), await proposer(context, parts))
    return context.json({ ok: true })
  })
}

function ruleIdOf(text: string): string {
  const { data } = z.uuid().safeParse(text)
  if (data !== undefined) return data
  throw new ProblemError('not_found', 404, { detail: `Cannot find the rule "${text}"` })
}
