import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { EventLog, Json, LanguageModel, ThreadLimits } from 'throughline'
import { MemoryLog } from 'throughline/log'
import type { Shelves } from 'throughline/log'
import type { Cursors, Pages } from 'throughline/server/extend'
import { open } from 'throughline'
import { DRAIN_GRACE_MS } from 'throughline/server/extend'
import { Tokens, serve } from 'throughline/server'
import type { QuotaLimits } from 'throughline/server'
import { defineBroker } from '../definition.ts'
import type { FirmDetails } from '../disclosures/index.ts'
import type { LenderPanel } from '../lenders/index.ts'
import { scriptedNarrator } from '../narrator/index.ts'
import { brokerService } from '../service.ts'
import { JOURNEY_IDLE_MS } from '../webhooks/index.ts'
import type { WebhookOptions } from '../webhooks/index.ts'
import { memoryLog, sha256 } from '../../../test/memory-log.fixture.ts'

export const SECRET = 'a secret that two servers share'

/** Cursors, and the shelves that hold them. */
export interface KeptCursors extends Cursors {
  readonly shelves: Shelves
}

export interface Setting {
  readonly model?: LanguageModel
  readonly log?: EventLog
  readonly cursors?: KeptCursors | undefined
  readonly secrets?: readonly string[]
  readonly port?: number
  readonly operatorToken?: string
  readonly publicUrl?: string
  readonly webhooks?: WebhookOptions
  readonly threadLimits?: ThreadLimits
  readonly quotas?: QuotaLimits
  readonly panel?: LenderPanel
  readonly firm?: FirmDetails
  /** Milliseconds before a failed model call is repeated. */
  readonly retryDelayMs?: number
  readonly pages?: Pages
  /** By default where the log is in memory. A test that reads a log as it is stored says no. */
  readonly erasable?: boolean
}

export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, Json>> & { readonly [key: string]: Json }
}

/** The broker behind a real HTTP server on a free port, with a memory log unless another is given. */
export async function serveBroker(setting: Setting = {}) {
  const log = setting.log ?? memoryLog()
  const tokens = new Tokens(setting.secrets ?? [SECRET])
  const { publicUrl, operatorToken, pages } = setting
  const { throughline, extension, webhooks } = await openBroker(setting, { log, tokens })
  const server = await serve(throughline, {
    port: setting.port ?? 0,
    tokens,
    store: 'memory',
    version: 'test',
    extensions: [extension],
    logger: pino({ level: 'silent' }),
    ...(operatorToken && { operatorToken }),
    ...(publicUrl && { publicUrl }),
    ...(pages && { pages }),
    ...setting.quotas,
  })
  webhooks?.start()
  let closed: Promise<unknown> | undefined
  const close = async (): Promise<void> => {
    closed ??= Promise.all([server.close(), webhooks?.close(DRAIN_GRACE_MS)])
    await closed
  }
  const settled = () => throughline.settled()
  return { log: throughline.log, url: server.url, settled, close }
}

async function openBroker(
  setting: Setting,
  { log, tokens }: { readonly log: EventLog; readonly tokens: Tokens },
) {
  const { webhooks, publicUrl, cursors, threadLimits: limits, panel, firm } = setting
  const broker = defineBroker({
    model: setting.model ?? scriptedNarrator(),
    now: Date.now,
    sha256,
    // The keys of a log in memory last as long as the log.
    erasable: setting.erasable ?? log instanceof MemoryLog,
    ...(panel && { panel }),
    idleMs: webhooks && (webhooks.idleMs ?? JOURNEY_IDLE_MS),
  })
  const throughline = await open({
    store: { log, shelves: cursors?.shelves },
    apps: [broker.app],
    retryDelayMs: setting.retryDelayMs ?? 1,
    ...(limits && { limits }),
  })
  const service = brokerService({
    ...broker,
    throughline,
    tokens,
    now: Date.now,
    id: randomUUID,
    ...(webhooks && { webhooks }),
    ...(firm && { firm }),
    ...(publicUrl && { publicUrl }),
  })
  return { throughline, ...service }
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
