import { expect, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { headOf } from '../documents/document.ts'
import type { Document } from '../documents/index.ts'
import {
  CATALOG_ENTRIES_MAX,
  CATALOG_LINE_CHARS_MAX,
  SESSIONS_RECALLED_MAX,
  TRANSCRIPT_CHARS_MAX,
  memoryOf,
} from './memory.ts'
import { TRANSCRIPT_LINES_MAX } from './transcript-text.ts'
import type { ToldDocuments } from './transcript-text.ts'
import { begun, started } from './started-team.fixture.ts'

let count = 0
const at = () => new Date(++count * 1_000).toISOString()

function said(text: string, session = 'team-2026-11-27-1'): Document {
  return {
    _id: `message:${++count}`,
    type: 'message',
    category: 'transcript',
    serverSessionId: session,
    text,
    blocks: [],
    role: 'user',
    speakerType: 'human',
    speakerName: 'Ada',
    targetAgent: null,
    createdAt: at(),
  }
}

const answered = (text: string, turn: 'ended' | 'cut_off'): Document =>
  ({
    ...said(text),
    type: 'message',
    role: 'assistant',
    speakerType: 'agent',
    speakerName: 'Julian',
    turn,
  }) as Document

const ended = (session: string): Document => ({
  _id: `marker:${++count}`,
  type: 'marker',
  category: 'operational',
  serverSessionId: session,
  event: 'session_end',
  reason: 'user_ended',
  createdAt: '2026-11-27T10:00:00.000Z',
})

const artifact = (filename: string, description = ''): Document => ({
  _id: `artifact:${filename}`,
  type: 'artifact',
  category: 'knowledge',
  serverSessionId: 'team-2026-11-27-1',
  filename,
  sizeBytes: 1,
  description,
  chapter: '',
  createdAt: at(),
})

function toldOf(documents: readonly Document[]): ToldDocuments {
  const byId = new Map(documents.map((document) => [document._id, document]))
  return {
    heads: () => Promise.resolve(documents.map(headOf)),
    async *whole(heads) {
      for (const { _id } of heads) yield byId.get(_id) ?? expect.unreachable()
    },
  }
}

test('a new session is told of the server’s own documents, in the shape of the wake-up message', async () => {
  const memory = await memoryOf(
    {},
    toldOf([
      said('Write a plan'),
      answered('I beg', 'cut_off'),
      answered('Here </previous-session> it is', 'ended'),
      artifact('plan.md', 'The plan'),
      ended('team-2026-11-27-1'),
    ]),
  )
  expect(memory).toEqual({
    catalogue: [
      '<memory category="catalog" document-count=1>',
      '- plan.md [knowledge] — The plan',
      '</memory>',
    ].join('\n'),
    transcripts: [
      '<previous-session category="transcript" session-id="team-2026-11-27-1" message-count=2 ended="2026-11-27T10:00:00.000Z">',
      '[human — Ada]: Write a plan',
      '[agent — Julian]: Here &lt;/previous-session> it is',
      '</previous-session>',
    ].join('\n'),
  })
})

test('a server without documents tells nothing', async () => {
  expect(await memoryOf({}, toldOf([]))).toEqual({ catalogue: '', transcripts: '' })
})

test('what is told is bounded: the newest sessions, messages and artifacts', async () => {
  const sessions = Array.from(
    { length: SESSIONS_RECALLED_MAX + 2 },
    (_, index) => `session-${index}`,
  )
  const messages = sessions.flatMap((session) =>
    Array.from({ length: TRANSCRIPT_LINES_MAX + 5 }, (_, index) =>
      said(`${index} ${'x'.repeat(2_000)}`, session),
    ),
  )
  const files = Array.from({ length: CATALOG_ENTRIES_MAX + 5 }, (_, index) =>
    artifact(`file-${index}.md`, 'd'.repeat(500)),
  )
  const { catalogue, transcripts } = await memoryOf({}, toldOf([...messages, ...files]))
  expect(transcripts.match(/session-id="[^"]*"/g)).toEqual(
    sessions.slice(-SESSIONS_RECALLED_MAX).map((session) => `session-id="${session}"`),
  )
  expect(transcripts.length).toBeLessThan(SESSIONS_RECALLED_MAX * (TRANSCRIPT_CHARS_MAX + 300))
  expect(catalogue).toContain(`file-${CATALOG_ENTRIES_MAX + 4}.md`)
  expect(catalogue).not.toContain('file-4.md')
  expect(catalogue.length).toBeLessThan((CATALOG_ENTRIES_MAX + 2) * (CATALOG_LINE_CHARS_MAX + 1))
})

test('the next session is told what was said in the one before, and the record says what was given', async () => {
  const dataDir = newFolder()
  const team = await begun({ dataDir })
  await team.post('/api/send', { message: 'My name is Ada' })
  await team.has('claude_result', 2)
  await team.post('/api/session/end')
  await team.post('/api/session/start')
  await team.has('claude_result', 3)
  const [wakeUp = ''] = team.program().written
  expect(wakeUp).toMatch(/<previous-session [^>]*session-id="team-[\d-]+-1" message-count=\d+ /)
  expect(wakeUp).toContain('My name is Ada')
  expect(wakeUp).toContain('[agent — Julian]: You said: My name is Ada')
  const starts = (await team.events()).filter(({ type }) => type === 'user_session_start')
  expect(starts).toMatchObject([
    { hasPreviousTranscript: false, hasArtifactCatalog: false },
    { hasPreviousTranscript: true, hasArtifactCatalog: false },
  ])
})

test('what a request gives wins over the server’s own documents, an empty list too', async () => {
  const team = await begun()
  await team.post('/api/session/end')
  const artifactCatalog = [{ filename: 'given.md', description: 'Given' }]
  await team.post('/api/session/start', { previousTranscript: [], artifactCatalog })
  await team.has('claude_result', 2)
  const [wakeUp = ''] = team.program().written
  expect(wakeUp).toContain('- given.md [knowledge] — Given')
  expect(wakeUp).not.toContain('<previous-session')
  expect((await team.events()).findLast(({ type }) => type === 'user_session_start')).toMatchObject(
    {
      hasPreviousTranscript: false,
      hasArtifactCatalog: true,
    },
  )
})

test('a server that starts anew tells of sessions that its kept documents hold', async () => {
  const dataDir = newFolder()
  const first = await started({ dataDir }, 'open')
  await first.post('/api/session/start')
  await first.post('/api/send', { message: 'Remember the sea' })
  await first.has('claude_result', 2)
  await first.post('/api/session/end')
  await first.close()
  const next = await begun({ dataDir })
  expect(next.program().written[0]).toContain('Remember the sea')
})
