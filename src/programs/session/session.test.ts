import { expect, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { openClaude } from '../index.ts'
import { ask, eventsUntil, only, playing, scriptedSession, untilIdle } from '../scripted.fixture.ts'

const VERSIONS = ['2.1.330', '2.1.197']
/** Where the versions differ in little. */
const TRIED = VERSIONS.slice(0, timesInTier({ quick: 1, full: 2 }))

test.each(VERSIONS)(
  '[D030] [D031] [D032] %s: a message is reported once it is complete, and results follow the message of their call',
  async (version) => {
    const { session } = scriptedSession({ scripted: { version } })
    const bash = {
      name: 'Bash',
      input: { command: 'ls' },
      result: 'a.txt',
      alsoSays: 'That is all.',
    }
    const id = await ask(session, playing({ thinking: 'Hm' }, { text: 'Hi' }, { tool: bash }))
    const events = await untilIdle(session)

    const told = events.filter(({ type }) =>
      ['message', 'tool_result', 'turn_ended'].includes(type),
    )
    expect(told).toMatchObject([
      { type: 'message', parent: null, blocks: [{ type: 'thinking', text: 'Hm' }] },
      { type: 'message', blocks: [{ type: 'text', text: 'Hi' }] },
      {
        type: 'message',
        blocks: [
          { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
          { type: 'text', text: 'That is all.' },
        ],
      },
      { type: 'tool_result', toolName: 'Bash', content: 'a.txt', isError: false },
      { type: 'turn_ended', prompts: [id], outcome: 'success', text: 'Hi' },
    ])
    // The call's result came before the rest of its message.
    expect(events.findIndex(({ type }) => type === 'result_part')).toBeLessThan(
      events.findLastIndex(({ type }) => type === 'part'),
    )
  },
)

test('[D029] the session is reported once for each process, though each turn begins with it', async () => {
  const { session } = scriptedSession()
  await ask(session, 'One')
  const first = await untilIdle(session)
  await ask(session, 'Two')
  const second = await untilIdle(session)

  expect(only(first, 'session')).toMatchObject([{ version: '2.1.330', model: 'scripted' }])
  expect(only(second, 'session')).toEqual([])
})

test.each(VERSIONS)(
  '[D034] %s: each turn reports its usage, from running totals where the version has no more',
  async (version) => {
    const { session } = scriptedSession({ scripted: { version } })
    const used = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheCreationTokens: 1 }
    for (const text of ['One', 'Two', 'Three']) {
      await ask(session, text)
      const [turn] = only(await untilIdle(session), 'turn_ended')
      expect(turn).toMatchObject({ usage: used, usageByModel: [{ model: 'scripted', ...used }] })
      expect(turn?.costUsd).toBeCloseTo(0.001)
    }
  },
)

test('[D122] prompts that wait are merged into one turn, which names them all', async () => {
  const { session } = scriptedSession()
  const first = await ask(session, playing({ waitMs: 500 }, { text: 'First' }))
  await eventsUntil(session, ({ type }) => type === 'prompt_taken')
  const others = [await ask(session, 'Second'), await ask(session, 'Third')]
  const turns = only(await untilIdle(session), 'turn_ended')

  expect(turns.map(({ prompts }) => prompts)).toEqual([[first], others])
})

test('a session is idle once no task is open and each task that ended has had its own turn', async () => {
  const { session } = scriptedSession()
  const agent = (title: string, waitMs: number) => ({
    title,
    steps: [{ text: `${title} looks` }, { waitMs }],
    report: `${title} is done`,
    background: true,
    afterwards: [{ text: `I heard of ${title}` }],
  })
  const play = playing({ agent: agent('A', 20) }, { agent: agent('B', 60) }, { text: 'Both began' })
  const id = await ask(session, play)
  const events = await untilIdle(session)

  const turns = only(events, 'turn_ended')
  const tasks = only(events, 'task_ended').map(({ task }) => task)
  expect(turns.map(({ prompts }) => prompts)).toEqual([[id], [], []])
  expect(turns.map(({ taskRun }) => taskRun)).toEqual([null, ...tasks.map(({ run }) => run)])
  // Messages of parallel sub-agents interleave, each under the call that started it.
  const said = only(events, 'message').filter(({ parent }) => parent !== null)
  expect(said.map(({ parent }) => parent)).toEqual(
    expect.arrayContaining(tasks.map(({ call }) => call)),
  )
  expect(events.at(-1)).toEqual({ type: 'idle' })
})

test('a sub-agent in the foreground owes no turn of its own', async () => {
  for (const version of TRIED) {
    const { session } = scriptedSession({ scripted: { version } })
    const agent = { title: 'F', steps: [{ text: 'I look' }], report: 'Found' }
    await ask(session, playing({ agent }, { text: 'Done' }))
    const events = await untilIdle(session)
    expect(only(events, 'turn_ended')).toHaveLength(1)
    expect(only(events, 'tool_result')).toMatchObject([{ toolName: 'Agent', content: 'Found' }])
  }
})

test.each([
  ['allow', { behavior: 'allow', input: {} } as const, { content: 'x', isError: false }],
  [
    'deny',
    { behavior: 'deny', message: 'Not now' } as const,
    { content: 'Not now', isError: true },
  ],
])('a person is asked for permission: %s', async (_, answer, result) => {
  const { session } = scriptedSession()
  await ask(session, playing({ tool: { name: 'Bash', input: {}, result: 'x', asks: true } }))
  const events = await eventsUntil(session, ({ type }) => type === 'permission_asked')
  const [asked] = only(events, 'permission_asked')
  expect(asked).toMatchObject({ toolName: 'Bash', input: {} })
  expect(session.isIdle).toBe(false)
  await session.answer(asked?.request ?? '', answer)
  // The second answer to one request is ignored.
  await session.answer(asked?.request ?? '', { behavior: 'allow', input: {} })
  expect(only(await untilIdle(session), 'tool_result')).toMatchObject([result])
})

test('an interrupt ends the turn, and the words that it leaves are no person’s', async () => {
  for (const version of TRIED) {
    const { session } = scriptedSession({ scripted: { version } })
    const id = await ask(session, playing({ text: 'I begin' }, { waitMs: 60_000 }))
    await eventsUntil(session, ({ type }) => type === 'part')
    await session.interrupt()
    const events = await untilIdle(session)
    const interrupted = { outcome: 'interrupted', code: 'error_during_execution', prompts: [id] }
    expect(only(events, 'turn_ended')).toMatchObject([
      { ...interrupted, text: 'Request was aborted' },
    ])
    expect(session.hasExited).toBe(false)
  }
})

test('[D058] [D124] the provider fails: no speech, and the turn is an error though its subtype is "success"', async () => {
  for (const version of TRIED) {
    const { session } = scriptedSession({ scripted: { version } })
    await ask(session, playing({ apiError: { status: 401, message: 'bad key' } }))
    const events = await untilIdle(session)
    expect(only(events, 'provider_failed')).toMatchObject([
      { status: 401, needsSignIn: true, parent: null },
    ])
    expect(only(events, 'message')).toEqual([])
    expect(only(events, 'turn_ended')).toMatchObject([{ outcome: 'error', code: 'api_error' }])
  }
})

test('[D035] a compaction is reported', async () => {
  const { session } = scriptedSession()
  await ask(session, playing({ compact: { preTokens: 900 } }))
  expect(only(await untilIdle(session), 'compacted')).toEqual([
    { type: 'compacted', trigger: 'auto', tokensBefore: 900 },
  ])
})

test('a prompt that was answered is not run again after SIGKILL and a resume; one under way is', async () => {
  const cwd = newFolder()
  const sessionId = crypto.randomUUID()
  const before = scriptedSession({ cwd, sessionId }).session
  const answered = await ask(before, 'Hello')
  await untilIdle(before)
  const underWay = crypto.randomUUID()
  const play = playing({ text: 'I begin' }, { waitMs: 300 })
  await before.prompt({ id: underWay, text: play })
  await eventsUntil(before, ({ type }) => type === 'part')
  process.kill(before.pid ?? 0, 'SIGKILL')
  expect(await before.exited).toMatchObject({ reason: 'exited', signal: 'SIGKILL' })

  const { session } = scriptedSession({ cwd, resume: sessionId })
  await session.prompt({ id: answered, text: 'Hello' })
  const first = await untilIdle(session)
  expect(only(first, 'prompt_known')).toEqual([{ type: 'prompt_known', prompt: answered }])
  expect(only(first, 'turn_ended')).toEqual([])
  await session.prompt({ id: underWay, text: play })
  expect(only(await untilIdle(session), 'turn_ended')).toMatchObject([{ prompts: [underWay] }])
})

test('a session that the CLI does not have ends at its start, with what the CLI says', async () => {
  const { session } = scriptedSession({ resume: crypto.randomUUID() })
  await expect(session.ready).rejects.toMatchObject({
    code: 'program_exited',
    message: expect.stringContaining('No conversation found'),
  })
})

test('a program that does not exist is an error with a code of its own', async () => {
  const session = openClaude({ bin: '/no/such/claude', version: '2.1.330' })
  await expect(session.ready).rejects.toMatchObject({ code: 'no_program', isUnreached: true })
  await expect(session.prompt({ id: 'a', text: 'Hi' })).rejects.toMatchObject({
    code: 'no_program',
  })
  expect(await session.exited).toMatchObject({ code: null, signal: null })
})
