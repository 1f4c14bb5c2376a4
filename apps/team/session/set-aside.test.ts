import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { programArguments } from '../../../test/program.fixture.ts'
import { startServer } from '../../../test/server-process.fixture.ts'
import type { TeamEvent } from '../events/index.ts'
import { saying } from './scripted-team.fixture.ts'
import type { Script } from './scripted-team.fixture.ts'
import { CRASHES_MAX } from './holder.ts'
import { begun, holdBack, started } from './started-team.fixture.ts'

const dying: Script = (text) => {
  if (text.includes('hang')) return 'hang'
  return text.startsWith('die') || text.startsWith('[SUMMON') ? 'die' : saying(`You said: ${text}`)
}

const isSetAside = (event: TeamEvent) => event.type === 'server_error' && event.isSetAside === true

type Team = Awaited<ReturnType<typeof started>>

async function setAside({ events }: Team, count = 1) {
  return vi.waitFor(async () => {
    const found = (await events()).filter(isSetAside)
    expect(found).toHaveLength(count)
    return found
  }, 10_000)
}

const answersIn = (events: readonly TeamEvent[]) =>
  events.flatMap((event) => (event.type === 'claude_result' ? (event.answers ?? []) : []))

test('[S18] a message on which the program ends twice is set aside, and the next one is answered', async () => {
  const team = await begun({ script: dying })
  for (const message of ['die', 'hello']) await team.post('/api/send', { message })
  const [named] = await setAside(team)
  const [, die, hello] = await team.has('user_message', 3)
  expect(named).toMatchObject({ code: 'process_exited', answers: [die?.uuid] })
  await vi.waitFor(async () => expect(answersIn(await team.events())).toContain(hello?.uuid), 5_000)
  expect(team.programs.started.flatMap(({ written }) => written.slice(-1))).toEqual([
    'die',
    'die',
    'hello',
  ])
})

test('[S18] messages that each end the program are set aside one after the other, over starts', async () => {
  const team = await begun({ script: dying })
  const count = 4
  for (let at = 0; at < count; at++) await team.post('/api/send', { message: `die ${at}` })
  await team.has('session_end', CRASHES_MAX + 1)
  await team.post('/api/session/start')
  await setAside(team, count)
  await team.has('claude_result', 2)
}, 20_000)

test('[S18] a message that was set aside is sent again once, or dropped', async () => {
  const team = await begun({ script: dying })
  const { post, has } = team
  await post('/api/agents/summon')
  await post('/api/send', { message: 'die' })
  const [summons, message] = (await setAside(team, 2)).map((event) =>
    event.type === 'server_error' ? event.answers?.[0] : undefined,
  )
  const settle = (uuid: string | undefined, act: string) =>
    post('/api/set-aside', { message: uuid, act })
  await has('session_start', 5)
  expect((await settle(summons, 'send_again')).status).toBe(202)
  expect(await has('user_summon', 2)).toMatchObject([{}, { again: summons }])
  expect((await settle(summons, 'send_again')).status).toBe(404)
  expect((await settle(message, 'drop')).status).toBe(202)
  expect((await settle(message, 'send_again')).status).toBe(404)
  expect(await has('user_message', 2)).toHaveLength(2)
}, 20_000)

test('[S18] the program’s ends on a message are counted on record, over a server that is killed', async () => {
  const env = {
    DATA_DIR: newFolder(),
    SCREEN_PORT: '0',
    CLAUDE_BIN: playedCli(),
    ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
  }
  let server = await startServer(env)
  const post = (path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' }
    return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const told = async (wanted: string) => {
    const answer = await fetch(`${server.url}/api/threads/team/events?limit=1000`)
    const { records } = (await answer.json()) as { records: { type: string; data: object }[] }
    return records.filter(({ type }) => type === wanted).map(({ data }) => data)
  }
  const errors = () => told('server_error')
  const id = '018f0000-0000-7000-8000-000000000001'
  const kept = { timeout: 20_000, interval: 20 }
  await post('/api/session/start')
  // The server is killed while the program works on the message once more.
  const play = [{ waitMs: 2_000 }, { exit: 1 }]
  await post('/api/send', { id, message: JSON.stringify({ play }) })
  await expect.poll(() => told('session_start'), kept).toHaveLength(2)
  expect(await errors()).toMatchObject([{ diedOn: id }])
  await server.end('SIGKILL')
  server = await startServer(env)
  await expect
    .poll(errors, kept)
    .toMatchObject([{ diedOn: id }, { answers: [id], isSetAside: true }])
  await server.end('SIGTERM')
}, 60_000)

test('[S18] a message is taken while a program is being started again, and refused once none is', async () => {
  const team = await begun({ script: dying })
  const { post, has, programs } = team
  const send = async (message: string) => {
    const answer = await post('/api/send', { message })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  for (const at of ['1', '2', '3']) await send(`die ${at}`)
  await has('session_end')
  expect(await send('kept')).toEqual([202, undefined])
  await vi.waitFor(async () => {
    expect((await team.events()).at(-1)).toMatchObject({ gaveUp: true, message: /Start a session/ })
  }, 10_000)
  expect(await send('lost')).toEqual([409, 'no_session'])
  await post('/api/session/start')
  await vi.waitFor(() => expect(programs.started.at(-1)?.written).toContain('kept'), 5_000)
}, 20_000)

test('[S18] a message is refused when the program cannot be started again', async () => {
  const team = await begun({ script: dying })
  team.programs.open = () => Promise.reject(new Error('no such file'))
  team.program().die()
  const [, failed] = await team.has('server_error', 2)
  expect(failed).toMatchObject({ message: /no such file/ })
  await vi.waitFor(async () => {
    expect((await team.post('/api/send', { message: 'hello' })).status).toBe(409)
  }, 5_000)
})

/** A file that runs the built-in CLI, which plays what a message says. */
function playedCli(): string {
  const bin = join(newFolder(), 'claude')
  const words = [process.execPath, ...programArguments('scripted-cli')]
  writeFileSync(bin, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(bin, 0o755)
  return bin
}

const STATES = {
  open: async ({ post }: Team) => void (await post('/api/send', { message: 'hang' })),
  'between two programs': async (team: Team) => {
    team.program().die()
    await team.has('session_end')
  },
  'given up': async ({ post, has }: Team) => {
    for (const at of ['1', '2', '3']) await post('/api/send', { message: `die ${at}` })
    await has('session_end', CRASHES_MAX + 1)
  },
} as const

test.each(Object.entries(STATES))(
  '[S18] a session that is %s can be ended, and is not gone on with',
  async (_state, reach) => {
    const dataDir = newFolder()
    const store = `sqlite:${dataDir}/throughline.db`
    const team = await begun({ script: dying, dataDir, store }, 'open')
    await reach(team)
    expect((await team.post('/api/session/end')).status).toBe(200)
    const ends = await team.has('session_end')
    expect(ends.at(-1)).toMatchObject({ reason: 'user_ended', sessionId: ends[0]?.sessionId })
    expect((await team.post('/api/session/end')).status).toBe(409)
    await team.close()
    const next = await started({ dataDir, store })
    expect(next.programs.started).toEqual([])
  },
  20_000,
)

test('[S18] a session that is being started can be ended', async () => {
  const team = await started()
  const letGo = holdBack(team)
  const starting = team.post('/api/session/start')
  await vi.waitFor(() => expect(team.programs.started).toHaveLength(1))
  const ending = team.post('/api/session/end')
  letGo()
  expect((await ending).status).toBe(200)
  expect((await team.has('session_end')).at(-1)).toMatchObject({ reason: 'user_ended' })
  await starting
})
