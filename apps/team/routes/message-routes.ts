import type { Context, Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import { readBody, readOptionalBody } from 'throughline/server/extend'
import { z } from 'zod'
import { MESSAGE_CHARS_MAX, budgetGiven, offeredJob, wakePayload } from '../events/index.ts'
import type { DocumentHead } from '../documents/index.ts'
import { nothing, proposer } from './route-parts.ts'
import type { TeamRouteParts } from './route-parts.ts'
import { NAME_CHARS_MAX, requireAgent, speakerName } from './speaker.ts'

const name = z.string().trim().min(1).max(NAME_CHARS_MAX)
const target = {
  targetAgent: name.nullable().optional(),
  targetGridPosition: z.number().int().min(0).max(8).optional(),
  speakerName: name.optional(),
}
const sendBody = z.strictObject({
  id: z.uuid().optional(),
  message: z.string().min(1).max(MESSAGE_CHARS_MAX),
  ...target,
})
const startBody = z.strictObject({
  previousTranscript: z.unknown().optional(),
  artifactCatalog: z.unknown().optional(),
  demoMode: z.boolean().optional(),
  budget: budgetGiven.optional(),
})
const offerBody = z.strictObject({ agentName: name, jobs: z.array(offeredJob).min(1).max(100) })
const wakeBody = z.strictObject({
  agents: z
    .array(
      wakePayload.partial({ hasSoul: true, hasTranscript: true, color: true, colorName: true }),
    )
    .min(1)
    .max(9),
})
const setAsideBody = z.strictObject({ message: z.uuid(), act: z.enum(['send_again', 'drop']) })
const helpBody = z.strictObject({ formState: z.record(z.string(), z.json()) })

/** A person chose whom the lead passes a message on to. */
const ROUTE = /^\[ROUTE TO AGENT: ([^\]\n]{1,200})\][ \t]*/

/** People's messages to the team. All answer once the message is appended; its outcome is in the stream. */
export function mountMessages(app: Hono, parts: TeamRouteParts): void {
  app.post('/api/send', async (context) => {
    await parts.access.requireOperator(context)
    const { id, ...body } = await readBody(context, sendBody)
    const data = messageOf(body, await parts.documents.heads())
    return said(context, parts, { data, given: body.speakerName, id })
  })
  app.post('/api/agents/summon', async (context) => {
    await parts.access.requireOperator(context)
    await readOptionalBody(context, nothing)
    return accepted(context, parts, { type: 'user_summon', data: {} })
  })
  app.post('/api/agents/wake', async (context) => {
    await parts.access.requireOperator(context)
    const { agents } = await readBody(context, wakeBody)
    const data = { agentPayloads: await wakePayloads(parts, agents) }
    return accepted(context, parts, { type: 'user_wake', data })
  })
  app.post('/api/agents/offer', async (context) => {
    await parts.access.requireOperator(context)
    const { agentName, jobs } = await readBody(context, offerBody)
    const agent = requireAgent(agentName, await parts.documents.heads()) ?? agentName
    const text = `Offer ${agent} work: ${jobs.map((job) => job.name).join(', ')}`
    const data = { text, targetAgent: null, ask: { kind: 'offer', agentName: agent, jobs } }
    return said(context, parts, { data })
  })
  app.post('/api/job-help', async (context) => {
    await parts.access.requireOperator(context)
    const { formState } = await readBody(context, helpBody)
    const ask = { kind: 'job_help', formState }
    return said(context, parts, {
      data: { text: 'Help me describe a job', targetAgent: null, ask },
    })
  })
  app.post('/api/ledger-reset', async (context) => {
    await parts.access.requireOperator(context)
    await readOptionalBody(context, nothing)
    const ask = { kind: 'ledger_reset' }
    return said(context, parts, { data: { text: 'Reset the ledger', targetAgent: null, ask } })
  })
  mountSession(app, parts)
}

/** What people do with the session. */
function mountSession(app: Hono, parts: TeamRouteParts): void {
  const { team } = parts
  app.post('/api/set-aside', async (context) => {
    await parts.access.requireOperator(context)
    const { message, act } = await readBody(context, setAsideBody)
    const { seq } = await team.settle(message, act, await proposer(context, parts))
    return context.json({ eventId: seq }, 202)
  })
  app.post('/api/session/start', async (context) => {
    await parts.access.requireOperator(context)
    const { sessionId, eventId } = await team.start(
      await readBody(context, startBody),
      await proposer(context, parts),
    )
    context.header('x-session-id', sessionId)
    return context.json({ sessionId, eventId })
  })
  app.post('/api/session/end', async (context) => {
    await parts.access.requireOperator(context)
    await readOptionalBody(context, nothing)
    await team.end(await proposer(context, parts))
    return context.json({ ok: true })
  })
  app.post('/api/interrupt', async (context) => {
    await parts.access.requireOperator(context)
    await readOptionalBody(context, nothing)
    await team.interrupt(await proposer(context, parts))
    return context.json({ ok: true })
  })
}

interface Sent {
  readonly type: string
  readonly data: unknown
  readonly id?: string | undefined
}

async function accepted(context: Context, parts: TeamRouteParts, { type, data, id }: Sent) {
  const as = { ...(await proposer(context, parts)), id }
  const { seq } = await parts.team.ask(type, data, as)
  return context.json({ eventId: seq }, 202)
}

interface Said {
  readonly data: object
  /** The speaker's name, as the request gives it. */
  readonly given?: string | undefined
  readonly id?: string | undefined
}

async function said(context: Context, parts: TeamRouteParts, { data, given, id }: Said) {
  const { actor } = await parts.access.entrant(context)
  const name = speakerName({ given, actor }, await parts.documents.heads())
  return accepted(context, parts, {
    type: 'user_message',
    data: { ...data, speakerName: name },
    id,
  })
}

type SendBody = Omit<z.output<typeof sendBody>, 'id'>

function messageOf(
  { message, targetAgent, targetGridPosition }: SendBody,
  documents: readonly DocumentHead[],
) {
  const [prefix = '', named] = ROUTE.exec(message) ?? []
  const text = message.slice(prefix.length)
  if (text.trim() === '') {
    throw new ProblemError('invalid_body', 400, {
      detail: 'Cannot send this: the message is empty',
    })
  }
  const target = targetAgent ?? named ?? null
  return {
    text,
    targetAgent: target === null ? null : requireAgent(target, documents),
    ...(targetGridPosition === undefined ? {} : { targetGridPosition }),
  }
}

/** The server knows which agents have a soul, and which have spoken before. */
async function wakePayloads(
  { documents }: TeamRouteParts,
  agents: z.output<typeof wakeBody>['agents'],
) {
  const all = await documents.heads()
  return agents.map(({ name, gridPosition, color = '', colorName = '' }) => {
    const known = all.find((each) => each.type === 'agent-identity' && each.name === name)
    const hasSoul = known?.type === 'agent-identity' && known.individuationArtifact !== ''
    const hasTranscript = all.some((each) => each.type === 'message' && each.speakerName === name)
    const looks = known?.type === 'agent-identity' ? known : { color, colorName }
    return {
      name,
      gridPosition,
      color: color || looks.color,
      colorName: colorName || looks.colorName,
      hasSoul,
      hasTranscript,
    }
  })
}
