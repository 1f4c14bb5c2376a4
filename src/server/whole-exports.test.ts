import { expect, onTestFinished, test, vi } from 'vitest'
import { Throughline, defineApp } from '../application/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { logWith } from '../log/log-with.fixture.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { routes, serve } from './index.ts'
import { app as incidents, byHeader, quiet } from './mounted-routes.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const RECORDS = 1_000
const SECRET = 'the key is under the mat'
const reads = (record: (record: LogRecord) => LogRecord | undefined) => ({
  read: { record, state: () => ({}) },
})
const app = defineApp({
  name: 'incidents',
  domain: incidents.domain,
  roles: {
    auditor: { read: 'all' },
    visitor: reads((record) => (record.seq % 2 === 0 ? record : undefined)),
    blind: reads(() => undefined),
    broken: reads((record) => {
      if (record.seq === 700) throw new Error(SECRET)
      return record
    }),
  },
})

/** Exports of a thread of 1,000 records, over a socket and by a plain call. */
async function exporting(damage: (log: EventLog) => EventLog = (log) => log) {
  const log = memoryLog()
  const reported = { type: 'reported', data: { what: 'smoke' } }
  await log.append(
    't',
    Array.from({ length: RECORDS }, () => reported),
  )
  const sources = { now: Date.now, id: uuidv7, sha256 }
  const throughline = await Throughline.start({ log: damage(log), apps: [app], ...sources })
  const told: unknown[] = []
  const options = {
    authenticate: byHeader,
    onFault: (error: unknown) => told.push(error),
    ...quiet,
  }
  const server = await serve(throughline, { port: 0, ...options })
  onTestFinished(() => server.close())
  const http = routes(throughline, options)
  // Quotas count by actor: each actor may have two long reads at once.
  const headersOf = (role: string) => ({ caller: JSON.stringify({ role, actor: 'ann' }) })
  const path = '/api/threads/t/export?format='
  const ask = (role: string, format: string, method = 'GET') =>
    new Request(`http://any.example${path}${format}`, { method, headers: headersOf(role) })
  const ways = {
    served: (role: string, format = 'jsonl') =>
      fetch(`${server.url}${path}${format}`, { headers: headersOf(role) }),
    mounted: async (role: string, format = 'jsonl') => http.fetch(ask(role, format)),
    head: async (role: string) => http.fetch(ask(role, 'jsonl', 'HEAD')),
  }
  return { ...ways, told }
}

const WAYS = ['served', 'mounted'] as const

/** Returns the received part of a body, and whether it ended without an error. */
async function read(
  response: Response,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
    return { text, whole: true }
  } catch {
    return { text, whole: false }
  }
}

test.each(WAYS)(
  '[X23] the last line of a %s export says how many records it holds',
  async (way) => {
    const at = await exporting()
    for (const [role, records] of [
      ['auditor', RECORDS],
      ['visitor', RECORDS / 2],
      ['blind', 0],
    ] as const) {
      const { text, whole } = await read(await at[way](role))
      const lines = text.trimEnd().split('\n')
      expect([whole, lines.length]).toEqual([true, records + 1])
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ complete: true, records })
      const rows = (await read(await at[way](role, 'csv'))).text.trimEnd().split('\r\n')
      expect(rows).toHaveLength(records + 2)
      expect(rows.at(-1)).toBe(`"","","","complete","","{""records"":${records}}",""`)
    }
    expect(at.told).toEqual([])
  },
)

test.for(WAYS)(
  '[X23] a %s export that a view breaks off ends its connection',
  async (way, { annotate }) => {
    const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
    onTestFinished(() => printed.forEach((each) => each.mockRestore()))
    const at = await exporting()
    for (const format of ['jsonl', 'csv']) {
      const { text, whole } = await read(await at[way]('broken', format))
      expect(whole).toBe(false)
      expect(text).not.toContain('complete')
      expect(text).not.toContain('the key')
    }
    expect(at.told).toMatchObject([
      { code: 'view_failed', cause: { message: SECRET } },
      { code: 'view_failed' },
    ])
    expect(printed.flatMap((each) => each.mock.calls)).toEqual([])
    await annotate('0 of 2 exports that broke off looked whole', 'promise')
  },
)

test.each(WAYS)('[X23] a %s export of a damaged log ends its connection', async (way) => {
  const at = await exporting((log) =>
    logWith(log, {
      async *read(thread, options) {
        for await (const batch of log.read(thread, options)) {
          const sound = batch.filter(({ seq }) => seq < 512)
          if (sound.length > 0) yield sound
          if (sound.length < batch.length) throw new LogError('corrupt', 'Cannot read a record')
        }
      },
    }),
  )
  const { text, whole } = await read(await at[way]('auditor'))
  expect([whole, text.includes('complete')]).toEqual([false, false])
  expect(at.told).toMatchObject([{ code: 'corrupt' }])
})

test('[X23] exports that broke off, that were left or that only asked for headers hold no quota', async () => {
  const at = await exporting()
  for (let n = 0; n < 3; n++) {
    await read(await at.served('broken'))
    await read(await at.mounted('broken'))
    await (await at.mounted('broken')).body?.cancel()
    expect((await at.head('broken')).status).toBe(200)
  }
  expect((await at.mounted('broken')).status).toBe(200)
})
