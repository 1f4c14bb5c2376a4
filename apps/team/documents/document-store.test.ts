import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { TRANSCRIPT_DOCUMENTS_MAX } from './document-store.ts'
import {
  LYRA,
  SESSION,
  START,
  documentsAfter,
  durableTeam,
  file,
  hello,
  said,
  wholeOf,
} from './documents-after.fixture.ts'
import type { Said } from './documents-after.fixture.ts'
import type { Document } from './index.ts'

const USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
const RESULT: Said = [
  'process',
  'claude_result',
  { subtype: 'success', numTurns: 1, costUsd: null, usage: USAGE, resultText: '' },
]
const END: Said = ['system', 'session_end', { exitCode: 0, reason: 'process_crash' }]

function without(documents: readonly Document[], type: string) {
  return documents.filter((document) => document.type !== type)
}

test('the requests of the server and of a form are no messages of people', async () => {
  const request = { text: 'x', speakerName: 'Ada', targetAgent: null }
  const { documents } = await documentsAfter(
    file(),
    START,
    ['system', 'user_message', { ...request, ask: { kind: 'greeting', prompt: 'Greet' } }],
    ['ui', 'user_message', { ...request, ask: { kind: 'job_help', formState: {} } }],
    ['ui', 'user_message', { ...request, ask: { kind: 'ledger_reset' } }],
  )
  expect(without(documents, 'marker')).toHaveLength(1)
})

test('[D097] [D098] [D099] people and agents speak in the transcript', async () => {
  const { documents } = await documentsAfter(
    file(),
    START,
    ['ui', 'user_message', { text: 'Hello', speakerName: 'Ada', targetAgent: 'Lyra' }],
    ['process', 'claude_text', { messageId: 'msg_1', content: [said('Hi.')] }],
    ['process', 'agent_message', { agentName: 'Lyra', content: [said('I am Lyra.')] }],
    ['process', 'claude_text', { messageId: 'm', content: [said('Inner')], parentToolUseId: 't' }],
  )
  const spoken = { type: 'message', category: 'transcript', serverSessionId: SESSION }
  expect(without(documents, 'marker')).toMatchObject([
    { ...spoken, role: 'user', speakerType: 'human', speakerName: 'Ada', text: 'Hello' },
    { ...spoken, role: 'assistant', speakerType: 'agent', speakerName: 'Julian', text: 'Hi.' },
    { ...spoken, role: 'assistant', speakerName: 'Lyra', agentName: 'Lyra', text: 'I am Lyra.' },
  ])
})

test('what was said in a turn is cut off where the session ends before the turn has its result', async () => {
  const kept = file()
  const say = (text: string): Said => [
    'process',
    'claude_text',
    { messageId: 'm', content: [said(text)] },
  ]
  const turns = (documents: readonly Document[]) =>
    documents.flatMap((each) => (each.type === 'message' ? [each] : []))
  const first = await documentsAfter(kept, START, say('Whole'), RESULT, say('Half'))
  expect(turns(first.documents)).toMatchObject([
    { text: 'Whole', turn: 'ended' },
    { text: 'Half', turn: 'open' },
  ])
  // The next server ends the session on record.
  const second = await documentsAfter(kept, END, START, say('Half'), say('Full'), RESULT)
  expect(turns(second.documents)).toMatchObject([
    { text: 'Whole', turn: 'ended' },
    { text: 'Half', turn: 'cut_off' },
    { text: 'Half', turn: 'ended' },
    { text: 'Full', turn: 'ended' },
  ])
})

test('[D100] [D101] [D119] agents have one document each, which follows their status', async () => {
  const { documents } = await documentsAfter(
    file(),
    START,
    ['process', 'agent_registered', { agent: LYRA }],
    ['process', 'agent_registered', { agent: { ...LYRA, gender: 'woman' } }],
    ['process', 'agent_status', { agents: [{ ...LYRA, status: 'shutdown' }] }],
  )
  const identity = { type: 'agent-identity', category: 'identity', lastSessionId: SESSION }
  expect(without(documents, 'marker')).toMatchObject([
    { ...identity, _id: 'agent-identity:0', name: 'Lyra', gender: 'woman', status: 'sleeping' },
  ])
})

test('[D102] an artifact is in the catalogue under its category', async () => {
  const written = { filename: 'a.md', path: '/memory/a.md', isNew: true, sizeBytes: 3 }
  const { documents } = await documentsAfter(
    file(),
    START,
    ['process', 'artifact_written', { ...written, meta: null }],
    ['process', 'artifact_written', { ...written, sizeBytes: 4, meta: { category: 'teaching' } }],
    ['process', 'artifact_written', { ...written, filename: 'b.md', meta: null }],
  )
  expect(without(documents, 'marker')).toMatchObject([
    { type: 'artifact', filename: 'a.md', category: 'teaching', sizeBytes: 4, writes: [{}, {}] },
    { type: 'artifact', filename: 'b.md', category: 'knowledge', description: '' },
  ])
})

test('[D103] [D104] sessions leave markers', async () => {
  const { documents } = await documentsAfter(file(), START, END)
  expect(documents).toMatchObject([
    { type: 'marker', category: 'operational', event: 'session_start' },
    { type: 'marker', category: 'operational', event: 'session_end', reason: 'process_crash' },
  ])
})

test('the file is its owner’s alone, whatever rights it came with', async () => {
  const kept = file()
  await documentsAfter(kept, START)
  chmodSync(kept, 0o044)
  await documentsAfter(kept, END)
  expect((statSync(kept).mode & 0o777).toString(8)).toBe('600')
})

test('[D105] [D120] everything else leaves no document', async () => {
  const { documents } = await documentsAfter(
    file(),
    [
      'ui',
      'user_session_start',
      { demoMode: false, hasPreviousTranscript: false, hasArtifactCatalog: false },
    ],
    START,
    ['system', 'server_error', { message: 'Oh', code: 'unknown' }],
    [
      'process',
      'claude_tool_result',
      { toolUseId: 't', toolName: 'Read', content: '', isError: false },
    ],
    ['process', 'claude_system', { claudeSessionId: 'c', availableTools: [] }],
    ['process', 'claude_compact', {}],
    RESULT,
    ['process', 'screen_command', { command: 'BG night' }],
    ['process', 'job_help', { suggestions: {} }],
    ['process', 'agent_work_offered', { agentName: 'Lyra', jobNames: [] }],
    ['system', 'auth_state', { authMethod: 'none', needsSetup: true, expiresInMinutes: null }],
    ['ui', 'user_summon', {}],
    ['ui', 'user_session_end', {}],
  )
  expect(without(documents, 'marker')).toEqual([])
})

test('a job that is given to an agent is filled, and the agent has it', async () => {
  const id = '018f0000-0000-7000-8000-000000000001'
  const { documents } = await documentsAfter(
    file(),
    START,
    ['process', 'agent_registered', { agent: LYRA }],
    ['ui', 'job_saved', { id, name: 'Cook' }],
    ['ui', 'job_saved', { id, name: 'Cook', assignedAgent: 'Lyra' }],
  )
  expect(without(documents, 'marker')).toMatchObject([
    { type: 'agent-identity', name: 'Lyra', jobId: id },
    { type: 'job', status: 'filled', assignedAgent: 'Lyra' },
  ])
})

test('[D015] [D134] documents outlive a log in memory, and so does the session that was open', async () => {
  const kept = file()
  const first = await documentsAfter(
    kept,
    START,
    ['process', 'claude_system', { claudeSessionId: 'c', availableTools: [] }],
    ['process', 'agent_registered', { agent: LYRA }],
  )
  const second = await documentsAfter(kept)
  expect(second.documents).toEqual(first.documents)
  expect(second.session).toEqual({
    id: SESSION,
    claudeSessionId: 'c',
    pid: 1,
    model: 'm',
    demoMode: false,
    endReason: null,
  })
})

test.each<readonly [string, (kept: string) => void]>([
  ['empty', (kept) => writeFileSync(kept, '')],
  ['cut', (kept) => writeFileSync(kept, readFileSync(kept).subarray(0, statSync(kept).size / 2))],
  ['filled with NUL', (kept) => writeFileSync(kept, Buffer.alloc(statSync(kept).size))],
  ['half NUL', (kept) => appendFileSync(kept, Buffer.alloc(4_096))],
  ['of another kind', (kept) => writeFileSync(kept, '[1]\n{"document":{}}\n"x"\n')],
  ['a folder', (kept) => (rmSync(kept), mkdirSync(kept))],
  ['a pipe', (kept) => (rmSync(kept), execFileSync('mkfifo', [kept]))],
])('documents are made of the log anew where their file is %s', async (_how, spoil) => {
  const { kept, say, openStore } = await durableTeam()
  const first = await openStore()
  await say(START, hello('Hello'), ['process', 'agent_registered', { agent: LYRA }], hello('You'))
  const [documents, session] = [await wholeOf(first), first.session]
  await first.close()
  spoil(kept)
  const second = await openStore()
  expect(await wholeOf(second)).toEqual(documents)
  expect(second.session).toEqual(session)
  await second.close()
  if (statSync(kept).isDirectory()) return
  const third = await openStore()
  expect(await wholeOf(third)).toEqual(documents)
  await third.close()
})

test('a save that fails is reported and tried again, with all that came since', async () => {
  const { kept, faults, say, openStore } = await durableTeam()
  const folder = join(dirname(kept), 'not-there')
  const path = join(folder, 'documents.jsonl')
  const store = await openStore(path)
  await say(START, hello('Before'))
  await vi.waitFor(() => expect(faults).toHaveLength(1), 5_000)
  mkdirSync(folder)
  await say(hello('After'))
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toContain('After'), 5_000)
  expect(readFileSync(path, 'utf8')).toContain('Before')
  await store.close()
})

test('changes are appended, and the file is written anew when most of it is old', async () => {
  const { kept, say, openStore } = await durableTeam()
  const store = await openStore()
  await say(START)
  await vi.waitFor(() => expect(statSync(kept).size).toBeGreaterThan(0))
  const before = readFileSync(kept, 'utf8')
  await say(hello('Appended'))
  await vi.waitFor(() => expect(readFileSync(kept, 'utf8')).toContain('Appended'))
  expect(readFileSync(kept, 'utf8').startsWith(before)).toBe(true)
  await store.close()
  const line = `${before.split('\n')[0]}\n`
  writeFileSync(kept, line.repeat(6_000) + readFileSync(kept, 'utf8'))
  const second = await openStore()
  await say(hello('Last'))
  await second.close()
  expect(readFileSync(kept, 'utf8').split('\n').length).toBeLessThan(20)
})

test('of the transcript the newest documents are kept', async () => {
  const { kept, openStore } = await durableTeam()
  const lines = Array.from({ length: TRANSCRIPT_DOCUMENTS_MAX + 2 }, (_, index) => {
    return `{"document":{"_id":"message:${index}","type":"message","text":""}}\n`
  })
  writeFileSync(kept, `{"document":{"_id":"job:1","type":"job"}}\n${lines.join('')}`)
  const store = await openStore()
  const documents = await wholeOf(store)
  expect(documents).toHaveLength(TRANSCRIPT_DOCUMENTS_MAX + 1)
  expect(documents.slice(0, 2).map(({ _id }) => _id)).toEqual(['job:1', 'message:2'])
  await store.close()
})
