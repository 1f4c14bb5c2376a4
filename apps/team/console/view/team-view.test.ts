import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TeamEvent } from '../../events/index.ts'
import { screenWords } from '../grid/screen-words.ts'
import { documentsOf } from './documents.ts'
import { doing } from './doing.ts'
import { countNew } from './new-since.ts'
import type { Part } from './talk.ts'
import { EMPTY_VIEW, isHatching, viewAfter } from './team-view.ts'
import type { TeamView } from './team-view.ts'
import { sumsByAgent } from './turns.ts'

let nextId = 0
function happened(type: string, payload: object = {}): TeamEvent {
  return { id: nextId++, ts: 1, sessionId: 'team-1', type, ...payload } as TeamEvent
}

const LYRA = {
  name: 'Lyra',
  gridPosition: 0,
  color: '#c9b1e8',
  colorName: 'lilac',
  gender: 'woman',
  faceVariant: { eyes: 'round', mouth: 'gentle' },
  individuationArtifact: '',
  createdAt: '2026-11-23T00:00:00.000Z',
}
const START = happened('session_start', { pid: 1, model: 'm', demoMode: false })
const view = (...events: readonly TeamEvent[]) => events.reduce(viewAfter, EMPTY_VIEW)

test('[D107] [D131] a summons hatches on the page alone, until its turn or the session ends', () => {
  const summon = happened('user_summon', { uuid: 'a' })
  const registered = happened('agent_registered', { agent: LYRA })
  const result = (...answers: readonly string[]) => turnEnd(answers)
  const end = happened('session_end', { exitCode: 0, reason: 'user_ended' })
  expect(isHatching(view(START, summon))).toBe(true)
  expect(view(START, summon).agents).toEqual({})
  expect(isHatching(view(START, summon, registered, result('b')))).toBe(true)
  expect(isHatching(view(START, summon, registered, result('a')))).toBe(false)
  expect(isHatching(view(START, summon, result('a')))).toBe(false)
  expect(isHatching(view(START, summon, end))).toBe(false)
  expect(isHatching(view(START, summon, end, START))).toBe(false)
})

test('[D009] [D014] [D106] [D108] [D109] the agents are those of the newest report, and sleep when the session ends', () => {
  const registered = happened('agent_registered', { agent: LYRA })
  const asleep = happened('agent_status', { agents: [] })
  expect(view(START, registered).agents[0]?.status).toBe('alive')
  expect(view(START, registered, asleep).agents[0]?.status).toBe('sleeping')
  const end = happened('session_end', { exitCode: null, reason: 'process_crash' })
  expect(view(START, registered, end)).toMatchObject({
    session: null,
    agents: { 0: { status: 'sleeping' } },
  })
})

test('a message that is set aside says so until it is sent again or dropped', () => {
  const hi = happened('user_message', {
    text: 'Hi',
    speakerName: 'Ada',
    targetAgent: null,
    uuid: 'a',
  })
  const aside = (uuid: string) =>
    happened('server_error', { message: 'Ended', answers: [uuid], isSetAside: true })
  const ways = (shown: TeamView) =>
    shown.entries.map((entry) => (entry.kind === 'agent' ? '' : entry.undelivered))
  const before = view(hi, aside('a'), aside('b'))
  expect(ways(before)).toEqual(['set_aside', undefined, 'set_aside'])
  expect(ways(viewAfter(before, { type: 'message_dropped', id: 9, message: 'b' }))[2]).toBe(
    'dropped',
  )
  const again = happened('user_message', { text: 'Hi', speakerName: 'Ada', again: 'a', uuid: 'c' })
  expect(ways(viewAfter(before, again))[0]).toBe('sent_again')
  const end = happened('session_end', { exitCode: 0, reason: 'user_ended' })
  expect(ways(viewAfter(before, end)).slice(0, 3)).toEqual(['dropped', undefined, 'dropped'])
})

test('a session whose program is away goes on by itself, until the server gives up', () => {
  const end = (reason: string) => happened('session_end', { exitCode: 1, reason })
  const gaveUp = happened('server_error', { message: 'Start a session', gaveUp: true })
  const crash = end('process_crash')
  expect(view(START, crash).absence).toBe('restarting')
  expect(view(START, crash, gaveUp).absence).toBe('given_up')
  expect(view(START, crash, gaveUp, end('user_ended')).absence).toBe('ended')
  expect(view(gaveUp).absence).toBe('ended')
})

const ask = (text: string, target: string | null, uuid = text) =>
  happened('user_message', { text, speakerName: 'Ada', targetAgent: target, uuid })
const says = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }))
const calls = (id: string, name: string, input: object = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const lead = (content: readonly object[], more: object = {}) =>
  happened('claude_text', { messageId: 'm', content, ...more })
const result = (toolUseId: string, isError = false, more: object = {}) =>
  happened('claude_tool_result', { toolUseId, toolName: 'Bash', content: 'out', isError, ...more })
const USAGE = { inputTokens: 2, outputTokens: 3, cacheReadTokens: 0, cacheCreationTokens: 0 }
const turnEnd = (answers: readonly string[], more: object = {}) =>
  happened('claude_result', { answers, usage: USAGE, costUsd: 0.5, subtype: 'success', ...more })

/** Each entry in a line: who, and its parts. */
function told({ entries }: TeamView): readonly string[] {
  return entries.map((entry) =>
    entry.kind === 'agent'
      ? `${entry.who}: ${entry.parts.map(partTold).join(', ')}`
      : `${entry.kind === 'person' ? entry.who : entry.about}: ${entry.text}`,
  )
}

function partTold(part: Part): string {
  if (part.kind !== 'call') return part.text
  const inner = part.parts.length > 0 ? ` (${part.parts.map(partTold).join(', ')})` : ''
  return `${part.name} ${part.state}${inner}`
}

test('[D079] people, the lead and agents speak by typed events', () => {
  const shown = view(
    START,
    ask('Hi', 'Lyra'),
    happened('agent_message', { agentName: 'Lyra', content: says('Hello') }),
    turnEnd(['Hi']),
    lead(says('Well')),
  )
  expect(told(shown)).toEqual(['began: team-1', 'Ada: Hi', 'Lyra: Hello', 'Julian: Well'])
})

test('a session that the next process goes on with does not begin again', () => {
  const end = happened('session_end', { exitCode: null, reason: 'server_shutdown' })
  expect(told(view(START, end, START))).toEqual([
    'began: team-1',
    'ended: server_shutdown',
    'went_on: team-1',
  ])
})

test('work hangs from the agent whose turn it is, and ends with its result', () => {
  const shown = view(
    START,
    ask('Test it', 'Lyra'),
    lead([calls('c1', 'Bash'), calls('c2', 'Read')]),
    happened('agent_message', { agentName: 'Lyra', content: says('Done') }),
    result('c1', true),
  )
  expect(told(shown).at(-1)).toBe('Lyra: Bash failed, Read running, Done')
  expect(told(viewAfter(shown, turnEnd(['Test it']))).at(-1)).toBe(
    'Lyra: Bash failed, Read lost, Done',
  )
})

test('the work of a helper stands under the call that asked it', () => {
  const shown = view(
    START,
    ask('Go', null),
    lead([calls('t', 'Agent')]),
    lead([...says('Looking'), calls('c', 'Grep')], { parentToolUseId: 't' }),
    result('c', false, { parentToolUseId: 't' }),
    result('t'),
  )
  expect(told(shown).at(-1)).toBe('Julian: Agent done (Looking, Grep done)')
  expect(view(START, lead(says('Lost'), { parentToolUseId: 'gone' })).entries).toHaveLength(1)
})

test('what an agent does now is read off the record', () => {
  const now = (...events: readonly TeamEvent[]) =>
    doing(view(START, ...events), 'Julian', { isCurrent: true, isAsked: false, isHeld: false })
  expect(now().state).toBe('ready')
  expect(now(ask('Go', null)).state).toBe('thinks')
  expect(now(ask('Go', null), lead(says('So'))).state).toBe('speaks')
  const runs = [ask('Go', null), lead([calls('c', 'Bash', { command: 'ls' })])]
  expect(now(...runs)).toMatchObject({ state: 'calls', call: { name: 'Bash' } })
  const held = { isCurrent: true, isAsked: false, isHeld: true }
  expect(doing(view(START, ask('Go', null)), 'Julian', held).state).toBe('ready')
  expect(now(...runs, turnEnd(['Go'], { subtype: 'error' })).state).toBe('failed')
  const asked = { isCurrent: true, isAsked: true, isHeld: false }
  expect(doing(view(START, ...runs), 'Julian', asked).state).toBe('waits')
  expect(doing(view(START, ...runs), 'Lyra', asked).state).toBe('asleep')
  expect(
    doing(view(START), 'Julian', { isCurrent: false, isAsked: false, isHeld: false }).state,
  ).toBe('checking')
})

test('a turn counts for the agent that it was sent to, with its calls', () => {
  const shown = view(
    START,
    ask('One', 'Lyra'),
    lead([calls('c1', 'Bash'), calls('c2', 'Bash')]),
    result('c1', true),
    result('c2'),
    turnEnd(['One']),
    ask('Two', null),
    lead([calls('c3', 'Bash')]),
    turnEnd(['Two'], { costUsd: null }),
  )
  expect(sumsByAgent(shown.turns)).toMatchObject([
    { who: 'Lyra', turns: 1, costUsd: 0.5, calls: 2, failedCalls: 1 },
    { who: 'Julian', turns: 1, costUsd: 0, calls: 1, failedCalls: 0 },
  ])
})

test('a document knows its versions and who wrote them', () => {
  const write = (isNew: boolean, more: object) => ({
    ...happened('artifact_written', { filename: 'plan.html', sizeBytes: 1_234, isNew, meta: null }),
    ...more,
  })
  const first = write(true, { ts: 2, agentName: 'Lyra' })
  const shown = view(START, first, write(false, { ts: 3 }))
  expect(documentsOf(shown)).toMatchObject([
    {
      filename: 'plan.html',
      versions: 2,
      isFresh: true,
      writes: [{ who: 'Julian' }, { who: 'Lyra' }],
    },
  ])
})

test('what is new since an event is counted, with its failures', () => {
  const shown = view(START, ask('Go', null), lead([calls('c', 'Bash')]), result('c', true))
  const seen = shown.entries[1]?.key ?? 0
  expect(countNew(shown.entries, seen)).toEqual({ count: 1, names: ['Julian'], failed: 1 })
})

test('a drawing stands on the call that drew it', () => {
  const drawn = happened('screen_command', { command: 'FACE happy' })
  const shown = view(START, ask('Go', null), lead([calls('c', 'Bash')]), result('c'), drawn)
  expect(shown.entries.at(-1)).toMatchObject({ parts: [{ drawn: ['FACE happy'] }] })
  expect(screenWords(['CLR', 'FACE happy', 'T Hello there', 'PROG 1 2 3 40'])).toBe(
    'A face: happy. Text: “Hello there”. A bar is filled to 40 %.',
  )
})

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'apps/team/console', 'apps/kit'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
const textOf = (names: readonly string[]) =>
  names.map((file) => readFileSync(file, 'utf8')).join('\n')
// The kit shows a call as it was made; it takes nothing from it.
const sources = textOf(
  files.filter(
    (file) => file !== 'apps/kit/tool-call-words.ts' && file !== 'apps/kit/changed-lines.ts',
  ),
)

test.each([
  ['D075', /AGENT_REGISTERED/],
  ['D076', /AGENT_STATUS/],
  ['D077', /['"]Write['"]|file_path/],
  ['D078', /['"]data:|\\n\\n/],
])('[D075] [D076] [D077] [D078] no page reads what the server has read: %s', (_id, pattern) => {
  expect(sources).not.toMatch(pattern)
})

test('[D011] [D112] the page follows an EventSource, and goes by the type of each event', () => {
  expect(sources).toContain('new EventSource(')
  expect(sources).toContain('switch (event.type)')
})

test('[D135] components only draw their props: none connects, fetches or parses JSON', () => {
  const components = files.filter((file) => /team\/console\/.+\.tsx$/.test(file))
  expect(components.length).toBeGreaterThan(10)
  const busy = components.filter((file) =>
    /EventSource|fetch\(|JSON\.parse/.test(readFileSync(file, 'utf8')),
  )
  expect(busy).toEqual([])
})
