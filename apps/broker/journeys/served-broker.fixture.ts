import { createHash, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { LanguageModel } from 'throughline/models'
import { MemoryLog } from 'throughline/log'
import type { Cursors, EventLog, LogRecord } from 'throughline/log'
import type { Json } from 'throughline/json'
import type { ThreadLimits } from 'throughline/step'
import { Tokens, serve } from 'throughline/server'
import type { QuotaLimits } from 'throughline/server'
import { brokerApplication } from '../application.ts'
import { scriptedNarrator } from '../narrator/index.ts'
import type { WebhookOptions } from '../webhooks/index.ts'

export const SECRET = 'a secret that two servers share'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export interface Setting {
  readonly model?: LanguageModel
  readonly log?: EventLog
  readonly cursors?: Cursors | undefined
  readonly secrets?: readonly string[]
  readonly port?: number
  readonly operatorToken?: string
  readonly publicUrl?: string
  readonly webhooks?: WebhookOptions
  readonly threadLimits?: ThreadLimits
  readonly quotas?: QuotaLimits
}

export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, Json>> & { readonly [key: string]: Json }
}

/** The broker behind a real HTTP server on a free port, with a memory log unless another is given. */
export async function serveBroker(setting: Setting = {}) {
  const id: () => string = randomUUID
  const log = setting.log ?? new MemoryLog({ hash: sha256, now: Date.now, id })
  const tokens = new Tokens(setting.secrets ?? [SECRET])
  const model = setting.model ?? scriptedNarrator()
  const broker = brokerApplication({
    log,
    cursors: setting.cursors,
    model,
    tokens,
    now: Date.now,
    id,
    sha256,
    retryDelayMs: 1,
    ...(setting.webhooks ? { webhooks: setting.webhooks } : {}),
    ...(setting.publicUrl ? { publicUrl: setting.publicUrl } : {}),
    ...(setting.threadLimits ? { threadLimits: setting.threadLimits } : {}),
  })
  const server = await serve({
    host: '127.0.0.1',
    port: setting.port ?? 0,
    log,
    cursors: setting.cursors,
    tokens,
    store: 'memory',
    version: 'test',
    applications: [broker],
    logger: pino({ level: 'silent' }),
    ...(setting.operatorToken ? { operatorToken: setting.operatorToken } : {}),
    ...(setting.publicUrl ? { publicUrl: setting.publicUrl } : {}),
    ...setting.quotas,
  })
  return { log, url: server.url, close: () => server.close() }
}

export type ServedBroker = Awaited<ReturnType<typeof serveBroker>>

export async function request(
  url: string,
  options: {
    readonly token?: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Promise<Answered> {
  const { token, body, headers } = options
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      connection: 'close',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

export async function recordsOf(log: EventLog, thread: string): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of log.read(thread)) records.push(...batch)
  return records
}
