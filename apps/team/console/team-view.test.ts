import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TeamEvent } from '../events/index.ts'
import { EMPTY_VIEW, isHatching, viewAfter } from './team-view.ts'
import type { TeamView } from './team-view.ts'

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
  const usage = { inputTokens: 0, outputTokens: 0 }
  const result = (...answers: readonly string[]) => happened('claude_result', { answers, usage })
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
  const ways = (shown: TeamView) => shown.items.map(({ undelivered }) => undelivered)
  const before = view(START, hi, aside('a'), aside('b'))
  expect(ways(before)).toEqual(['set_aside', undefined, 'set_aside'])
  expect(ways(viewAfter(before, { type: 'message_dropped', id: 9, message: 'b' }))[2]).toBe(
    'dropped',
  )
  const again = happened('user_message', { text: 'Hi', speakerName: 'Ada', again: 'a', uuid: 'c' })
  expect(ways(viewAfter(before, again))[0]).toBe('sent_again')
  const end = happened('session_end', { exitCode: 0, reason: 'user_ended' })
  expect(ways(viewAfter(before, end))).toEqual(['dropped', undefined, 'dropped'])
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

test('[D079] people, the lead and agents speak by typed events', () => {
  const { items } = view(
    START,
    happened('user_message', { text: 'Hi', speakerName: 'Ada', targetAgent: 'Lyra' }),
    happened('agent_message', { agentName: 'Lyra', content: [{ type: 'text', text: 'Hello' }] }),
    happened('claude_text', { messageId: 'm', content: [{ type: 'text', text: 'Well' }] }),
    happened('claude_text', { messageId: 'm', content: [], parentToolUseId: 't' }),
  )
  expect(items.map(({ by, who, text }) => [by, who, text])).toEqual([
    ['person', 'Ada', 'Hi'],
    ['agent', 'Lyra', 'Hello'],
    ['agent', '', 'Well'],
  ])
})

test('sub-agents speak one level below the lead, and a session says which model it has', () => {
  const said = { messageId: 'm', content: [{ type: 'text', text: 'Found it' }] }
  const shown = view(
    START,
    happened('claude_system', { claudeSessionId: 'c', availableTools: [], model: 'opus' }),
    happened('claude_text', said),
    happened('claude_text', { ...said, parentToolUseId: 't' }),
  )
  expect(shown.items.map(({ depth }) => depth)).toEqual([0, 1])
  expect(shown.session?.model).toBe('opus')
})

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'apps/team/console', 'apps/kit'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
const sources = files.map((file) => readFileSync(file, 'utf8')).join('\n')

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
