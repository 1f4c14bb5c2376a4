import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import { readBody } from 'throughline/server/extend'
import type { Document, DocumentHead } from '../documents/index.ts'
import { jobDraft, offerDeclined } from '../events/index.ts'
import { proposer } from './route-parts.ts'
import { readPlainFile } from './plain-file.ts'
import type { TeamRouteParts } from './route-parts.ts'

const SKILLS_MAX = 200
/** A larger file of a skill shows no description. */
const SKILL_BYTES_MAX = 1_000_000

/** Mounts the routes for lasting data: documents, agents, jobs and skills. */
export function mountDocuments(app: Hono, parts: TeamRouteParts): void {
  const { access, documents, team, folder, id } = parts
  app.get('/api/documents', async (context) => {
    await access.requireOperator(context)
    const isJsonl = context.req.query('format') === 'jsonl'
    const all = documents.whole(await documents.heads())
    context.header('content-type', isJsonl ? 'application/x-ndjson' : 'application/json')
    if (isJsonl) context.header('content-disposition', 'attachment; filename="documents.jsonl"')
    return context.body(ReadableStream.from(isJsonl ? jsonLines(all) : asJson(all)))
  })
  app.get('/api/agents', async (context) => {
    await access.requireOperator(context)
    return context.json({ agents: ofType(await documents.heads(), 'agent-identity') })
  })
  app.get('/api/jobs', async (context) => {
    await access.requireOperator(context)
    const jobs = ofType(await documents.heads(), 'job')
    return context.json({ jobs: jobs.toSorted(byStanding) })
  })
  app.post('/api/jobs', async (context) => {
    await access.requireOperator(context)
    const draft = await readBody(context, jobDraft)
    const job = { ...draft, id: draft.id ?? id() }
    await team.propose('job_saved', job, await proposer(context, parts))
    const saved = ofType(await documents.heads(), 'job').find((each) => each.jobId === job.id)
    return context.json({ job: saved }, 201)
  })
  app.post('/api/jobs/decline', async (context) => {
    await access.requireOperator(context)
    const offer = await readBody(context, offerDeclined)
    const find = async () =>
      ofType(await documents.heads(), 'job').find(({ jobId }) => jobId === offer.jobId)
    if (!(await find())?.offeredTo?.includes(offer.agentName)) throw notOffered()
    await team.propose('offer_declined', offer, await proposer(context, parts))
    return context.json({ job: await find() })
  })
  app.get('/api/skills', async (context) => {
    await access.requireOperator(context)
    return context.json({ skills: await skillsIn(join(folder, '.claude', 'skills')) })
  })
}

async function* jsonLines(documents: AsyncIterable<Document>): AsyncIterable<Uint8Array> {
  for await (const document of documents) yield Buffer.from(`${JSON.stringify(document)}\n`)
}

async function* asJson(documents: AsyncIterable<Document>): AsyncIterable<Uint8Array> {
  let before = '{"documents":['
  for await (const document of documents) {
    yield Buffer.from(before + JSON.stringify(document))
    before = ','
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
}

export function ofType<Type extends DocumentHead['type']>(
  documents: readonly DocumentHead[],
  type: Type,
) {
  return documents.filter(
    (document): document is Extract<DocumentHead, { type: Type }> => document.type === type,
  )
}

function notOffered(): ProblemError {
  return new ProblemError('not_found', 404, {
    detail: 'Cannot decline this: the job is not offered to this agent',
  })
}

type Job = Extract<DocumentHead, { type: 'job' }>

/** Open ones first, the newest first. */
function byStanding(one: Job, other: Job): number {
  if (one.status !== other.status) return one.status === 'open' ? -1 : 1
  return other.createdAt.localeCompare(one.createdAt)
}

async function skillsIn(folder: string) {
  const names = await readdir(folder).catch(() => [])
  const skills = names.toSorted((one, other) => one.localeCompare(other)).slice(0, SKILLS_MAX)
  return Promise.all(
    skills.map(async (name) => {
      const bytes = await readPlainFile(join(folder, name, 'SKILL.md'), SKILL_BYTES_MAX)
      const text = typeof bytes === 'object' ? bytes.toString('utf8') : ''
      return { name, description: /^description:\s*(.+)$/m.exec(text)?.[1]?.trim() ?? '' }
    }),
  )
}
