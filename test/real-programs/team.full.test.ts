import { join } from 'node:path'
import type { TeamEvent } from '../../apps/team/events/index.ts'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../folders.fixture.ts'
import { startServer } from '../server-process.fixture.ts'
import { installed } from './installed.fixture.ts'
import { messagesServer } from './messages-server.fixture.ts'

const MESSAGES = 60
/** 20 kills of the program and 5 of the server. */
const PROGRAM_KILLED_EACH = 3
const SERVER_KILLED_EACH = 12
const MODEL_TAKES_MS = 300

const VERSIONS = ['claude-2.1.332', 'claude-2.1.197'] as const

for (const name of VERSIONS) {
  test.skipIf(installed(name) === undefined)(
    `[D002] [D036] ${name}: whether it is killed or the server, each message is answered once, or named as lost`,
    async () => {
      const team = await realTeam(installed(name) ?? '')
      await team.post('/api/session/start')
      for (let message = 1; message <= MESSAGES; message++) {
        await team.post('/api/send', { message: `Message ${message}` })
        await team.modelBegins()
        if (message % PROGRAM_KILLED_EACH === 0) await team.killProgram()
        if (message % SERVER_KILLED_EACH === SERVER_KILLED_EACH - 1) await team.killServer()
      }
      const sent = (await team.events()).filter(({ type }) => type === 'user_message')
      const settled = () => team.settled()
      await expect.poll(settled, { timeout: 120_000 }).toHaveLength(sent.length)
      expect(new Set(await settled()).size).toBe(sent.length)
      const answered = (await team.events()).filter(({ type }) => type === 'claude_result')
      expect(answered.length).toBeGreaterThan(0)
    },
    600_000,
  )
}

/** The server with the real CLI and a model on loopback, which takes a moment for each answer. */
async function realTeam(bin: string) {
  const model = await messagesServer(() => ({ say: 'Done.' }), MODEL_TAKES_MS)
  const [dataDir, home] = [newFolder(), newFolder()]
  const env = {
    DATA_DIR: dataDir,
    SCREEN_PORT: '0',
    CLAUDE_BIN: bin,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  let server = await startServer(env)
  let begun = 0
  onTestFinished(async () => {
    await server.end('SIGTERM')
    model.close()
  })
  const events = () => eventsOf(server.url)
  return {
    events,
    async post(path: string, body: object = {}) {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(server.url + path, sent)
      if (!response.ok) throw new Error(`Cannot POST ${path}: ${await response.text()}`)
    },
    async modelBegins() {
      const before = begun
      await expect.poll(() => model.asked.length, { interval: 10 }).toBeGreaterThan(before)
      begun = model.asked.length
    },
    async killProgram() {
      const starts = (await events()).filter((event) => event.type === 'session_start')
      process.kill(starts.at(-1)?.pid ?? 0, 'SIGKILL')
    },
    async killServer() {
      await server.end('SIGKILL')
      server = await startServer(env)
    },
    /** The ids of the messages that were answered, or named as lost. */
    async settled() {
      return (await events()).flatMap((event) =>
        event.type === 'claude_result' || event.type === 'server_error'
          ? (event.answers ?? [])
          : [],
      )
    },
  }
}

/** All that is on record, as a new tab gets it. */
async function eventsOf(url: string): Promise<readonly TeamEvent[]> {
  const ending = new AbortController()
  const response = await fetch(`${url}/api/events?after=-1`, { signal: ending.signal })
  const events: TeamEvent[] = []
  let held = ''
  let head = Number.POSITIVE_INFINITY
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const [rest = '', ...whole] = (held + text).split('\n\n').toReversed()
    held = rest
    for (const frame of whole.toReversed()) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (data === undefined) continue
      const told = JSON.parse(data) as TeamEvent & { readonly head?: number }
      if (told.head !== undefined) head = told.head
      else events.push(told)
    }
    if ((events.at(-1)?.id ?? -1) >= head) break
  }
  ending.abort()
  return events
}
