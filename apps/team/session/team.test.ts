import { setTimeout as delay } from 'node:timers/promises'
import { membersOf } from 'throughline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { turnOf } from './scripted-team.fixture.ts'
import { CRASHES_MAX, RESTART_DELAY_MS } from './holder.ts'
import { begun, holdBack, started } from './started-team.fixture.ts'

test('[D026] [D062] [D129] a program that crashes is resumed in its session', async () => {
  const { program, has, programs } = await begun()
  program().die({ stderr: 'Out of memory' })
  expect(await has('session_end')).toMatchObject([{ reason: 'process_crash', exitCode: 1 }])
  expect(await has('server_error')).toMatchObject([{ code: 'process_exited', message: /memory/ }])
  const [first, second] = await has('session_start', 2)
  expect(second?.sessionId).toBe(first?.sessionId)
  expect(programs.wishes[1]).toEqual({ demoMode: false, resume: 'conversation-1' })
})

test('a message that has no result when the program crashes is written again, under its id', async () => {
  const { program, post, has, programs, events } = await begun()
  await post('/api/send', { message: 'hang' })
  await vi.waitFor(() => expect(program().written.at(-1)).toBe('hang'))
  program().die()
  await has('session_start', 2)
  await vi.waitFor(() => expect(programs.started[1]?.written).toEqual(['hang']))
  const messages = (await events()).filter((event) => event.type === 'user_message')
  expect(messages).toHaveLength(2)
})

test('[D025] [D064] [D125] an unused team’s session ends and is not resumed', async () => {
  const { program, has, events } = await begun()
  program().die({ reason: 'inactivity_timeout', code: 143 })
  expect(await has('session_end')).toMatchObject([{ reason: 'inactivity_timeout' }])
  const ends = (await events()).slice(-2)
  expect(ends).toMatchObject([{ code: 'inactivity_timeout' }, { type: 'session_end' }])
})

test('[D063] [D123] a turn that takes too long has a result, and is not repeated', async () => {
  const { program, post, has, programs } = await begun()
  await post('/api/send', { message: 'hang' })
  await vi.waitFor(() => expect(program().written.at(-1)).toBe('hang'))
  program().die({ reason: 'turn_timeout' })
  expect((await has('claude_result', 2)).at(-1)).toMatchObject({ subtype: 'timeout' })
  expect(await has('server_error', 2)).toMatchObject([
    { code: 'turn_timeout' },
    { code: 'process_exited' },
  ])
  await has('session_start', 2)
  expect(programs.started[1]?.written).toEqual([])
})

const ENDS = [
  { when: 'a person ends the session', how: 'end', kind: 'sqlite', lost: 2 },
  { when: 'the server stops with a log in memory', how: 'stop', kind: 'memory', lost: 2 },
  { when: 'the server stops with a log that stays', how: 'stop', kind: 'sqlite', lost: 0 },
] as const

test.each(ENDS)(
  '[D002] messages without an answer are named as lost where no program gets them: $when',
  async ({ how, kind, lost }) => {
    const store = kind === 'memory' ? 'memory:' : `sqlite:${newFolder()}/throughline.db`
    const team = await begun({ store }, 'open')
    for (const message of ['hang', 'wait']) await team.post('/api/send', { message })
    const stream = team.follow()
    onTestFinished(() => stream.close())
    await vi.waitFor(() => expect(stream.events.length).toBeGreaterThan(0))
    if (how === 'end') await team.post('/api/session/end')
    const sent = (await team.events()).filter(({ type }) => type === 'user_message').slice(1)
    await team.close()
    await vi.waitFor(() => expect(stream.events.at(-1)).toMatchObject({ type: 'session_end' }))
    const named = stream.events.at(-2)
    const answers = sent.map(({ uuid }) => uuid)
    if (lost > 0) expect(named).toMatchObject({ type: 'server_error', answers })
    else expect(stream.events.some(({ type }) => type === 'server_error')).toBe(false)
  },
)

test('[D061] a message that cannot be written waits', async () => {
  const { program, post, has, programs } = await begun()
  program().prompt = () => Promise.reject(new Error('the pipe is closed'))
  await post('/api/send', { message: 'hello' })
  expect(await has('server_error')).toMatchObject([{ code: 'stdin_write_failed' }])
  program().die()
  await vi.waitFor(() => expect(programs.started[1]?.written).toEqual(['hello']), 5_000)
})

test('[D126] a program that cannot be started opens no session', async () => {
  const { post, programs, has, events } = await started()
  programs.open = () => Promise.reject(new Error('no such file'))
  expect((await post('/api/session/start')).status).toBe(502)
  expect(await has('server_error')).toMatchObject([
    { code: 'process_exited', message: /no such file/ },
  ])
  expect((await events()).some((event) => event.type === 'session_start')).toBe(false)
})

test.each(['sqlite', 'memory'])(
  '[D013] [D133] [D027] [D106] after a restart on %s the session goes on, with its end and start on record',
  async (store) => {
    const dataDir = newFolder()
    const url = store === 'memory' ? 'memory:' : `sqlite:${dataDir}/throughline.db`
    const first = await started({ dataDir, store: url }, 'open')
    await first.post('/api/session/start')
    await first.has('claude_result')
    await first.close()

    const second = await started({ dataDir, store: url })
    const [last] = (await second.has('session_start')).toReversed()
    const ends = (await second.events()).filter((event) => event.type === 'session_end')
    expect(ends).toMatchObject([{ reason: 'server_shutdown', sessionId: last?.sessionId }])
    expect(second.programs.wishes).toEqual([
      { demoMode: false, resume: 'conversation-1', orphan: 4_242 },
    ])
    expect(last?.sessionId).toMatch(/-1$/)
    expect((await second.post('/api/session/start')).status).toBe(409)
    const { documents } = (await (await second.get('/api/documents')).json()) as {
      documents: { type: string; event?: string }[]
    }
    expect(documents.some(({ type }) => type === 'message')).toBe(true)
    const markers = documents.filter(({ type }) => type === 'marker').map(({ event }) => event)
    expect(markers).toEqual(['session_start', 'session_end', 'session_start'])
  },
)

test('permission to use a tool is asked on record, answered once, and bound to the call', async () => {
  const { program, post, log } = await begun()
  const input = { command: 'rm -r memory' }
  program().say({ type: 'permission_asked', request: 'req-1', call: null, toolName: 'Bash', input })
  const asked = await vi.waitFor(async () => {
    for await (const records of log.read('team')) {
      const found = records.find(({ type }) => type === 'permission_asked')
      if (found) return membersOf(found.data)
    }
    throw new TypeError('it is not asked yet')
  })
  expect(asked).toMatchObject({ toolName: 'Bash', input: JSON.stringify(input) })
  const answer = { request: 'req-1', digest: asked['digest'], approved: true }
  expect((await post('/api/permissions', { ...answer, digest: 'other' })).status).toBe(409)
  expect((await post('/api/permissions', answer)).status).toBe(200)
  expect((await post('/api/permissions', answer)).status).toBe(409)
  expect(program().answers).toEqual([{ request: 'req-1', answer: { behavior: 'allow', input } }])
})

test('an open permission request is denied on record when the program ends', async () => {
  const { program, has, log } = await begun()
  program().say({
    type: 'permission_asked',
    request: 'req-1',
    call: null,
    toolName: 'Bash',
    input: {},
  })
  program().die()
  await has('session_start', 2)
  const types: string[] = []
  for await (const records of log.read('team')) types.push(...records.map(({ type }) => type))
  expect(types).toContain('permission_answered')
})

test('a catalogue that makes the greeting too long is refused before anything has started', async () => {
  const { post, get, programs, log } = await started()
  const artifactCatalog = Array.from({ length: 600 }, (_, index) => {
    return { filename: `f${index}`, description: 'd'.repeat(300) }
  })
  const head = await log.head('team')
  expect((await post('/api/session/start', { artifactCatalog })).status).toBe(400)
  expect(await (await get('/api/health')).json()).toMatchObject({ sessionActive: false })
  expect([programs.started.length, await log.head('team')]).toEqual([0, head])
  expect((await post('/api/session/start')).status).toBe(200)
})

test('a program that ends after turns of its own is not started again without end', async () => {
  const { program, programs, has, events } = await begun()
  // The first life has greeted.
  const lives = CRASHES_MAX + 1
  for (let life = 1; life <= lives; life++) {
    await vi.waitFor(() => expect(programs.started).toHaveLength(life), 10_000)
    await has('session_start', life)
    program().say({ ...turnOf('none'), prompts: [] })
    program().die()
    await has('session_end', life)
  }
  // A further start would come within this time.
  await delay(RESTART_DELAY_MS * (lives + 4))
  const ends = (await events()).filter(({ type }) => type === 'session_end')
  expect([ends.length, programs.started.length]).toEqual([lives, lives])
})

test('[D062] a program that is being restarted when the server stops is stopped, with its end on record', async () => {
  const dataDir = newFolder()
  const store = `sqlite:${dataDir}/throughline.db`
  const team = await started({ dataDir, store }, 'open')
  await team.post('/api/session/start')
  await team.has('claude_result')
  const letGo = holdBack(team)
  team.program().die()
  await vi.waitFor(() => expect(team.programs.started).toHaveLength(2), 5_000)
  const closing = team.close()
  letGo()
  await closing
  const next = await started({ dataDir, store })
  const ends = (await next.events()).filter(({ type }) => type === 'session_end')
  expect(ends).toMatchObject([{ reason: 'process_crash' }, { reason: 'server_shutdown' }])
})
