import type { LogRecord } from 'throughline'
import {
  LEAD_NAME,
  artifactOf,
  declinedOffer,
  flatEvent,
  isConversation,
  registerAgent,
  reportStatus,
  savedJob,
  sleepAll,
} from '../events/index.ts'
import type { Agents, Block, DeclinedOffer, TeamAgent, TeamEvent } from '../events/index.ts'
import type {
  AgentDocument,
  ArtifactDocument,
  AssistantDocument,
  Document,
  DocumentHead,
  JobDocument,
  MarkerDocument,
  UserDocument,
} from './document.ts'

type Documents = ReadonlyMap<string, DocumentHead>

/** The documents that a record makes or changes. A record that comes twice changes nothing more. */
export function documentsOf(
  documents: Documents,
  record: LogRecord,
): readonly (Document | DocumentHead)[] {
  const job = savedJob(record)
  if (job) return jobDocuments(documents, job, record)
  const declined = declinedOffer(record)
  if (declined) return withOffers(documents, (job) => afterDecline(job, declined))
  const event = flatEvent(record)
  return event ? eventDocuments(documents, event, record) : []
}

function eventDocuments(
  documents: Documents,
  event: TeamEvent,
  record: LogRecord,
): readonly (Document | DocumentHead)[] {
  switch (event.type) {
    case 'user_message':
      return isConversation(event) ? [userDocument(event, record)] : []
    case 'claude_text':
      return leadDocument(event, record)
    case 'agent_message':
      return [agentMessage(event, record)]
    case 'claude_result':
      return withTurn(documents, 'ended')
    case 'agent_registered':
      return changed(documents, (agents) => registerAgent(agents, event.agent, event))
    case 'agent_status':
      return changed(documents, (agents) => reportStatus(agents, event.agents, event))
    case 'agent_work_offered':
      return withOffers(documents, (job) => afterOffer(job, event))
    case 'artifact_written':
      return [artifactDocument(documents, event, record)]
    case 'session_start':
      return [markerDocument(event, record)]
    case 'session_end':
      return [
        ...endDocuments(documents, event, record),
        ...withTurn(documents, 'cut_off'),
        ...changed(documents, (agents) => sleepAll(agents)),
      ]
    default:
      return []
  }
}

type Of<Type extends TeamEvent['type']> = Extract<TeamEvent, { type: Type }>

function userDocument(event: Of<'user_message'>, record: LogRecord): UserDocument {
  const { text, speakerName, targetAgent, targetGridPosition } = event
  return {
    ...messageOf(event, record, [{ type: 'text', text }]),
    role: 'user',
    speakerType: 'human',
    speakerName,
    targetAgent,
    ...(targetGridPosition === undefined ? {} : { targetGridPosition }),
  }
}

function leadDocument(event: Of<'claude_text'>, record: LogRecord): readonly AssistantDocument[] {
  // A sub-agent works for the lead, and does not speak with the person.
  if (event.parentToolUseId !== undefined) return []
  const message = messageOf(event, record, event.content)
  return [{ ...message, ...SPOKEN, speakerName: LEAD_NAME }]
}

function agentMessage(event: Of<'agent_message'>, record: LogRecord): AssistantDocument {
  const { agentName, content } = event
  return { ...messageOf(event, record, content), ...SPOKEN, speakerName: agentName, agentName }
}

const SPOKEN = { role: 'assistant', speakerType: 'agent', turn: 'open' } as const

/** Closes the open turn in the documents of what was said in it. */
function withTurn(documents: Documents, turn: 'ended' | 'cut_off'): readonly DocumentHead[] {
  return [...documents.values()].flatMap((document) => {
    const isOpen =
      document.type === 'message' && document.role === 'assistant' && document.turn === 'open'
    return isOpen ? [{ ...document, turn }] : []
  })
}

function messageOf(event: TeamEvent, { id }: LogRecord, blocks: readonly Block[]) {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return {
    _id: `message:${id}`,
    type: 'message',
    category: 'transcript',
    serverSessionId: event.sessionId,
    text: texts.join('\n'),
    blocks,
    createdAt: isoTime(event),
  } as const
}

function markerDocument(
  event: Of<'session_start'> | Of<'session_end'>,
  { id }: LogRecord,
): MarkerDocument {
  const { type, sessionId } = event
  return {
    _id: `marker:${id}`,
    type: 'marker',
    category: 'operational',
    serverSessionId: sessionId,
    event: type,
    ...(type === 'session_end' ? { reason: event.reason } : {}),
    createdAt: isoTime(event),
  }
}

/** A log in memory begins with the end that the log before it has recorded. */
function endDocuments(
  documents: Documents,
  event: Of<'session_end'>,
  record: LogRecord,
): readonly MarkerDocument[] {
  const marker = markerDocument(event, record)
  const before = [...documents.values()].findLast(
    (each) => each.type === 'marker' && each.serverSessionId === event.sessionId,
  )
  const isKnown = before?.type === 'marker' && before.event === 'session_end'
  return isKnown && before._id !== marker._id ? [] : [marker]
}

/** Writes of one artifact that its document names; the oldest are left out. */
const WRITES_MAX = 50

function artifactDocument(
  documents: Documents,
  event: Of<'artifact_written'>,
  { id }: LogRecord,
): ArtifactDocument {
  const _id = `artifact:${event.filename}`
  const before = documents.get(_id)
  const writes = before?.type === 'artifact' ? (before.writes ?? []) : []
  const { agentName = null, sizeBytes, isNew } = event
  const write = { id, createdAt: isoTime(event), agentName, sizeBytes, isNew }
  const isKnown = writes.some((each) => each.id === id)
  return {
    _id,
    type: 'artifact',
    ...artifactOf(event),
    serverSessionId: event.sessionId,
    createdAt: before?.createdAt ?? isoTime(event),
    writes: isKnown ? writes : [...writes, write].slice(-WRITES_MAX),
  }
}

/** The documents of the agents that a change touches. */
function changed(
  documents: Documents,
  change: (agents: Agents) => Agents,
): readonly AgentDocument[] {
  const known = agentDocuments(documents)
  const before: Agents = Object.fromEntries(known.map((each) => [each.gridPosition, each]))
  return Object.values(change(before))
    .filter((agent) => before[agent.gridPosition] !== agent)
    .map((agent) => agentDocument(agent, documents))
}

export function agentDocuments(documents: Documents): readonly AgentDocument[] {
  return [...documents.values()].filter((document) => document.type === 'agent-identity')
}

function agentDocument(agent: TeamAgent, documents: Documents): AgentDocument {
  const _id = `agent-identity:${agent.gridPosition}`
  const jobs = [...documents.values()].filter((document) => document.type === 'job')
  const job = jobs.find(({ assignedAgent }) => assignedAgent === agent.name)
  return {
    ...agent,
    _id,
    type: 'agent-identity',
    category: 'identity',
    jobId: job?.jobId,
  }
}

function jobDocuments(
  documents: Documents,
  { id: jobId, ...job }: NonNullable<ReturnType<typeof savedJob>>,
  { ts }: LogRecord,
): readonly Document[] {
  const _id = `job:${jobId}`
  const saved: JobDocument = {
    _id,
    type: 'job',
    category: 'operational',
    ...job,
    jobId,
    status: job.assignedAgent === null ? 'open' : 'filled',
    offeredTo: job.assignedAgent === null ? offersOf(documents.get(_id)) : [],
    createdAt: documents.get(_id)?.createdAt ?? new Date(ts).toISOString(),
    updatedAt: new Date(ts).toISOString(),
  }
  const after = new Map([...documents, [_id, saved] as const])
  const agents = agentDocuments(documents).map((agent) => agentDocument(agent, after))
  const others = withOffers(after, (each) => without(each, job.assignedAgent))
  return [saved, ...others, ...agents.filter((agent) => agent.jobId !== jobOf(documents, agent))]
}

/** The jobs whose offers a change touches. */
function withOffers(
  documents: Documents,
  change: (job: JobDocument) => readonly string[],
): readonly JobDocument[] {
  return [...documents.values()].flatMap((document) => {
    if (document.type !== 'job') return []
    const offeredTo = change(document)
    return offeredTo.length === offersOf(document).length ? [] : [{ ...document, offeredTo }]
  })
}

function afterOffer(job: JobDocument, { agentName, jobNames }: Of<'agent_work_offered'>) {
  const isMeant = job.status === 'open' && jobNames.includes(job.name)
  return isMeant ? [...without(job, agentName), agentName] : offersOf(job)
}

function afterDecline(job: JobDocument, { jobId, agentName }: DeclinedOffer) {
  return job.jobId === jobId ? without(job, agentName) : offersOf(job)
}

function without(job: JobDocument, agentName: string | null): readonly string[] {
  return offersOf(job).filter((name) => name !== agentName)
}

function offersOf(document: DocumentHead | undefined): readonly string[] {
  return document?.type === 'job' ? (document.offeredTo ?? []) : []
}

function jobOf(documents: Documents, { _id }: AgentDocument): string | undefined {
  const before = documents.get(_id)
  return before?.type === 'agent-identity' ? before.jobId : undefined
}

function isoTime({ ts }: TeamEvent): string {
  return new Date(ts).toISOString()
}
