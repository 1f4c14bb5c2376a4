import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ask } from '../events/index.ts'
import { TeamReader } from './index.ts'
import type { SessionEvent } from 'throughline/server/extend'
import { called, ended, gave, said } from './said.fixture.ts'

const FIRST = '018f0000-0000-7000-8000-000000000001'
const SECOND = '018f0000-0000-7000-8000-000000000002'
const LYRA = '{"name":"Lyra","gridPosition":0}'

function reader(artifacts: readonly string[] = []): TeamReader {
  return new TeamReader({ folder: '/team', screenPort: 3848, artifacts, usesModel: true })
}

function read(...events: readonly SessionEvent[]) {
  const team = reader()
  return events.flatMap((event) => team.take(event))
}

function texts(derived: readonly { readonly type: string; readonly data: unknown }[]) {
  return derived.filter(({ type }) => type === 'claude_text').map(({ data }) => data)
}

test('[D030] [D031] a message keeps its text, thinking and calls, and is one event', () => {
  const blocks = [
    { type: 'thinking', text: 'Hm.' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a' } },
  ] as const
  expect(
    read({ type: 'message', message: 'msg_1', parent: null, isAborted: false, model: 'm', blocks }),
  ).toEqual([
    {
      type: 'claude_text',
      data: {
        messageId: 'msg_1',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a' } },
        ],
      },
    },
  ])
})

test('[D032] [D033] a tool result names its call and tool, and a long output is cut', () => {
  const [result] = read(gave('Read', {}, { content: 'x'.repeat(20_000), isError: true }))
  expect(result).toMatchObject({
    type: 'claude_tool_result',
    data: { toolUseId: 'toolu_1', toolName: 'Read', isError: true },
  })
  expect(result?.data).toHaveProperty('content', 'x'.repeat(10_000))
})

test('[D010] [D068] [D067] [D049] a registration is an event, and its line is not shown', () => {
  const derived = read(said(`Welcome!\n[AGENT_REGISTERED] ${LYRA}\nLyra is here.`))
  expect(derived).toMatchObject([
    { type: 'agent_registered', data: { agent: { name: 'Lyra', gridPosition: 0 } } },
    { type: 'claude_text' },
  ])
  expect(JSON.stringify(texts(derived))).not.toContain('AGENT_REGISTERED')
  expect(JSON.stringify(texts(derived))).toContain('Welcome!\\n')
})

test('[D069] a status report is an event, and its line is not shown', () => {
  const derived = read(said('All well.\n[AGENT_STATUS] {"agents":[]}'))
  expect(derived).toMatchObject([
    { type: 'agent_status', data: { agents: [] } },
    { type: 'claude_text', data: { content: [{ type: 'text', text: 'All well.' }] } },
  ])
})

test('an action with a known target means the same as its marker; another is refused', () => {
  const status = '[ACTION] {"target":"agents/status","action":"set","data":{"agents":[]}}'
  const other = '[UI_ACTION] {"target":"door/open","action":"open","data":{}}'
  expect(read(said(`${status}\n${other}`))).toMatchObject([
    { type: 'agent_status', data: { agents: [] } },
    { type: 'ui_action', refused: { refused: 'unknown_type' } },
  ])
})

test('[D116] a message of a marker alone leaves no text, and result texts have no markers', () => {
  expect(texts(read(said(`[AGENT_REGISTERED] ${LYRA}`)))).toEqual([])
  const [result] = read(ended([], { text: 'Done.\n[AGENT_STATUS] {"agents":[]}' }))
  expect(result?.data).toHaveProperty('resultText', 'Done.')
})

test('[D117] [D070] a marker whose JSON is broken is not shown, and is refused', () => {
  const derived = read(said('Hello.\n[AGENT_STATUS] {"agents":[\nBye.'))
  expect(derived).toMatchObject([
    { type: 'agent_status', refused: { refused: 'malformed' } },
    { type: 'claude_text', data: { content: [{ type: 'text', text: 'Hello.\nBye.' }] } },
  ])
})

test('[D118] a marker in the middle of a line is prose', () => {
  const text = `The line [AGENT_REGISTERED] ${LYRA} registers an agent.`
  expect(read(said(text))).toMatchObject([
    { type: 'claude_text', data: { content: [{ type: 'text', text }] } },
  ])
})

test('a registration by a sub-agent is refused, and its markers are not shown', () => {
  expect(read(said(`Hello.\n[AGENT_REGISTERED] ${LYRA}`, 'toolu_9'))).toMatchObject([
    { type: 'agent_registered', refused: { refused: 'not_authorised' } },
    { type: 'claude_text', data: { parentToolUseId: 'toolu_9', content: [{ text: 'Hello.' }] } },
  ])
})

const PAGE =
  '<meta name="artifact-description" content="A read-me"><meta content="teaching" name="artifact-category"><p>é</p>'

test('[D071] [D050] [D052] [D137] a write is an artifact once its result confirms it', () => {
  const input = { file_path: '/team/memory/shared/readme.html', content: PAGE }
  expect(read(...called('Write', input)).map(({ type }) => type)).toEqual(['claude_text'])
  expect(read(gave('Write', input, { content: 'File created successfully' }))[1]).toEqual({
    type: 'artifact_written',
    data: {
      filename: 'shared/readme.html',
      path: '/team/memory/shared/readme.html',
      isNew: true,
      sizeBytes: new TextEncoder().encode(PAGE).length,
      meta: { description: 'A read-me', category: 'teaching' },
    },
  })
})

test('[D072] a write that fails, or lies outside the memory folder, is no artifact', () => {
  const outside = ['memory/../secret.txt', '/etc/passwd', '/team/memory', '/team/memory2/a', '']
  const derived = [
    ...read(gave('Write', { file_path: 'memory/a.md', content: '' }, { isError: true })),
    ...outside.flatMap((path) => read(gave('Write', { file_path: path, content: '' }))),
  ]
  expect(derived.filter(({ type }) => type === 'artifact_written')).toEqual([])
})

test('[D051] an artifact is new once', () => {
  const team = reader(['b.md'])
  const written = ['memory/a.md', 'memory/a.md', 'memory/b.md'].flatMap((path) =>
    team.take(gave('Write', { file_path: path, content: 'text' })).slice(1),
  )
  expect(written.map(({ data }) => data)).toMatchObject([
    { filename: 'a.md', isNew: true, meta: null },
    { filename: 'a.md', isNew: false },
    { filename: 'b.md', isNew: false },
  ])
})

test('[D051] whether an artifact is new comes from the result as data, and not from its words', () => {
  const input = { file_path: 'memory/a.md', content: 'a' }
  const lies = 'File created successfully; the file has been updated'
  const written = (fileChange: 'create' | 'update', content: string) =>
    read(...called('Write', input), gave('Write', input, { content, fileChange })).find(
      ({ type }) => type === 'artifact_written',
    )?.data
  expect(written('update', lies)).toMatchObject({ isNew: false })
  expect(written('create', 'The file has been updated')).toMatchObject({ isNew: true })
})

test('[D074] [D048] the answer to a routed message is the agent’s, and no other turn’s is', () => {
  const team = reader()
  team.expect(FIRST, { target: 'Lyra' })
  team.expect(SECOND, { target: null })
  const derived = [
    said('I began this turn myself.'),
    { type: 'prompt_taken', prompt: FIRST } as const,
    said('Hello, I am Lyra.'),
    ended([FIRST]),
    { type: 'prompt_taken', prompt: SECOND } as const,
    said('I am the lead.'),
  ].flatMap((event) => team.take(event))
  expect(derived.map(({ type }) => type)).toEqual([
    'claude_text',
    'agent_message',
    'claude_result',
    'claude_text',
  ])
  expect(derived[1]?.data).toEqual({
    agentName: 'Lyra',
    content: [{ type: 'text', text: 'Hello, I am Lyra.' }],
  })
})

test('a routed message with a call keeps the call as the lead’s', () => {
  const team = reader()
  team.expect(FIRST, { target: 'Lyra' })
  team.take({ type: 'prompt_taken', prompt: FIRST })
  const blocks = [
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
  ] as const
  const derived = team.take({
    type: 'message',
    message: 'msg_1',
    parent: null,
    isAborted: false,
    model: 'm',
    blocks,
  })
  expect(derived).toMatchObject([
    { type: 'agent_message', data: { content: [{ type: 'text' }] } },
    { type: 'claude_text', data: { content: [{ type: 'tool_use' }] } },
  ])
})

test('[D047] an offer counts once its turn has ended in success', () => {
  const jobs = [{ name: 'Cook', description: '' }]
  const ask: Ask = { kind: 'offer', agentName: 'Lyra', jobs }
  const offered = (outcome: 'success' | 'error') => {
    const team = reader()
    team.expect(FIRST, { target: null, ask })
    return team.take(ended([FIRST], { outcome })).map(({ type }) => type)
  }
  expect(offered('success')).toEqual(['agent_work_offered', 'claude_result'])
  expect(offered('error')).toEqual(['claude_result'])
})

test('[D055] job help is the first JSON object of the answer', () => {
  const team = reader()
  team.expect(FIRST, { target: null, ask: { kind: 'job_help', formState: {} } })
  team.take({ type: 'prompt_taken', prompt: FIRST })
  expect(team.take(said('Try {this}: {"name":"Cook","skills":["a}b"]} or {"other":1}'))).toEqual([])
  expect(team.take(ended([FIRST]))[0]).toEqual({
    type: 'job_help',
    data: { suggestions: { name: 'Cook', skills: ['a}b'] } },
  })
})

test('an answer to a request for job help without JSON is said once its turn ends', () => {
  const team = reader()
  team.expect(FIRST, { target: null, ask: { kind: 'job_help', formState: {} } })
  team.take({ type: 'prompt_taken', prompt: FIRST })
  expect(team.take(said('I know of no such job.'))).toEqual([])
  expect(team.take(ended([FIRST], { outcome: 'error' }))).toMatchObject([
    { type: 'claude_text', data: { content: [{ type: 'text', text: 'I know of no such job.' }] } },
    { type: 'claude_result' },
  ])
})

test('[D034] [D124] a result sums what all models used, and an error has no success', () => {
  const usage = {
    model: 'm',
    inputTokens: 1,
    outputTokens: 2,
    cacheReadTokens: 3,
    cacheCreationTokens: 4,
  }
  const [result] = read(ended([], { outcome: 'interrupted', usageByModel: [usage, usage] }))
  expect(result?.data).toMatchObject({
    subtype: 'error',
    costUsd: 0.01,
    usage: { inputTokens: 2, outputTokens: 4, cacheReadTokens: 6, cacheCreationTokens: 8 },
    resultText: '',
  })
})

test('[D035] a conversation that was made shorter leaves an event', () => {
  const compacted = { type: 'compacted', trigger: 'auto', tokensBefore: 9_000 } as const
  expect(read(compacted)).toEqual([{ type: 'claude_compact', data: {} }])
})

test('[D057] [D058] [D065] a failing provider is an error, never speech', () => {
  const failed = (status: number, needsSignIn: boolean) =>
    read({
      type: 'provider_failed',
      parent: null,
      status,
      text: `API Error: ${status}`,
      needsSignIn,
    }).map(({ data }) => data)
  expect(failed(500, false)).toEqual([{ code: 'unknown', message: 'API Error: 500' }])
  expect(failed(401, true)).toMatchObject([
    {
      code: 'auth_failed',
      message: expect.stringMatching(/^API Error: 401\. .*claude auth login/),
    },
  ])
})

test('however sub-agents speak in between, the lead’s events are the same', () => {
  const lead = [
    said(`One\n[AGENT_REGISTERED] ${LYRA}`),
    ...called('Write', { file_path: 'memory/a.md', content: 'a' }),
    gave('Write', { file_path: 'memory/a.md', content: 'a' }),
    said('Two\n[AGENT_STATUS] {"agents":[]}'),
    ended([]),
  ]
  const alone = read(...lead)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(lead.length), fc.string())), (others) => {
      const mixed = lead.flatMap((event, at) => [
        ...others.filter(([place]) => place === at).map(([, text]) => said(text, 'toolu_9')),
        event,
      ])
      const derived = read(...mixed).filter(
        ({ data }) => !Object.hasOwn(Object(data), 'parentToolUseId'),
      )
      expect(derived).toEqual(alone)
    }),
  )
})
