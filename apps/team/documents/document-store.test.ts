import { join } from 'node:path'
import { open } from 'throughline'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { defineTeam } from '../definition.ts'
import { TEAM_THREAD } from '../events/index.ts'
import { DocumentStore } from './index.ts'
import type { Document } from './index.ts'

const SESSION = 'team-2026-11-23-1'
const LYRA = { name: 'Lyra', gridPosition: 0 }
const said = (text: string) => ({ type: 'text', text })

type Said = readonly ['process' | 'ui' | 'system', string, object]

const START: Said = [
  'system',
  'session_start',
  { sessionId: SESSION, pid: 1, model: 'm', demoMode: false },
]
const END: Said = ['system', 'session_end', { exitCode: 0, reason: 'process_crash' }]

async function documentsAfter(file: string, ...said: readonly Said[]) {
  const app = defineTeam()
  const throughline = await open({ store: 'memory:', apps: [app] })
  const { log } = throughline
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  const store = await DocumentStore.open({ log, thread: TEAM_THREAD, file, onFault })
  for (const [source, type, data] of said) {
    await throughline.app(app).propose(TEAM_THREAD, [{ type, data }], { as: { source } })
  }
  const documents = await store.all()
  const { session } = store
  await store.close()
  await throughline.close()
  expect(faults).toEqual([])
  return { documents, session }
}

function file(): string {
  return join(newFolder(), 'documents.json')
}

function without(documents: readonly Document[], type: string) {
  return documents.filter((document) => document.type !== type)
}

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
    { type: 'artifact', filename: 'a.md', category: 'teaching', sizeBytes: 4 },
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

test('[D105] [D120] everything else leaves no document', async () => {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }
  const result = { subtype: 'success', numTurns: 1, costUsd: null, usage, resultText: '' }
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
    ['process', 'claude_result', result],
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
