import type { Hono } from 'hono'
import type {
  DocumentHead,
  DocumentStore,
  MarkerDocument,
  Message,
  MessageHead,
} from '../documents/index.ts'
import { ofType } from './document-routes.ts'
import type { TeamRouteParts } from './route-parts.ts'

/** Messages of one answer, the newest ones. */
export const TRANSCRIPT_MESSAGES_MAX = 500
/** Characters of a search. */
const FIND_CHARS_MAX = 200

/** The sessions of the team in its folder, and what was said in them. */
export function mountTranscripts(app: Hono, { access, documents, folder }: TeamRouteParts): void {
  app.get('/api/sessions', async (context) => {
    await access.requireOperator(context)
    return context.json({ folder, sessions: sessionsIn(await documents.heads()) })
  })
  app.get('/api/transcripts', async (context) => {
    await access.requireOperator(context)
    const { session = '', agent = '', find = '' } = context.req.query()
    const words = find.slice(0, FIND_CHARS_MAX).toLowerCase().split(/\s+/).filter(Boolean)
    const heads = ofType(await documents.heads(), 'message').filter(
      (message) =>
        (session === '' || message.serverSessionId === session) &&
        (agent === '' || isOf(message, agent)),
    )
    return context.json(await foundIn(documents, heads, words))
  })
}

/** The newest messages that have all words, and how many there are. */
async function foundIn(
  documents: DocumentStore,
  heads: readonly DocumentHead[],
  words: readonly string[],
) {
  const read = words.length === 0 ? heads.slice(-TRANSCRIPT_MESSAGES_MAX) : heads
  const messages: ReturnType<typeof inShort>[] = []
  let count = heads.length - read.length
  for await (const message of documents.whole(read)) {
    if (message.type !== 'message' || !hasAll(message, words)) continue
    count++
    messages.push(inShort(message))
    if (messages.length > TRANSCRIPT_MESSAGES_MAX) messages.shift()
  }
  return { messages, count }
}

function hasAll({ text }: Message, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** What an agent said, and what people said to it. */
function isOf(message: MessageHead, agent: string): boolean {
  return message.role === 'user' ? message.targetAgent === agent : message.speakerName === agent
}

function inShort(message: Message) {
  const { _id: id, serverSessionId: sessionId, role, speakerName, text, createdAt } = message
  return {
    id,
    sessionId,
    role,
    speakerName,
    text,
    createdAt,
    calls: message.blocks.filter(({ type }) => type === 'tool_use').length,
    ...(message.role === 'user'
      ? { targetAgent: message.targetAgent }
      : { isCutOff: message.turn === 'cut_off' }),
  }
}

interface Session {
  readonly sessionId: string
  readonly startedAt: string
  /** Null while it is open. */
  readonly endedAt: string | null
  /** Why it ended, or was interrupted last. */
  readonly reason: string | null
  readonly messages: number
}

/** The sessions, the newest first. A session that was resumed began once. */
function sessionsIn(all: readonly DocumentHead[]): readonly Session[] {
  const sessions = new Map<string, Session>()
  for (const marker of ofType(all, 'marker')) {
    const { serverSessionId: id } = marker
    if (id !== null) sessions.set(id, afterMarker(sessions.get(id), id, marker))
  }
  for (const { serverSessionId } of ofType(all, 'message')) {
    const session = sessions.get(serverSessionId ?? '')
    if (session) sessions.set(session.sessionId, { ...session, messages: session.messages + 1 })
  }
  return [...sessions.values()].toSorted((one, other) =>
    other.startedAt.localeCompare(one.startedAt),
  )
}

function afterMarker(
  session: Session | undefined,
  sessionId: string,
  { event, createdAt, reason }: MarkerDocument,
): Session {
  const begun = { sessionId, startedAt: createdAt, messages: 0 }
  if (event === 'session_start') return { ...begun, reason: null, ...session, endedAt: null }
  return { ...begun, ...session, endedAt: createdAt, reason: reason ?? null }
}
