import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { open } from 'throughline'
import type { StoreOptions, Throughline } from 'throughline'
import { DRAIN_GRACE_MS, Tokens, serve } from 'throughline/server'
import type { Extension, RunningServer, ServeOptions } from 'throughline/server'
import { sha256, uuidv7 } from 'throughline/storage'
import { defineBroker } from './broker/definition.ts'
import { builtInPanel, httpPanel } from './broker/lenders/index.ts'
import type { LenderPanel } from './broker/lenders/index.ts'
import { scriptedNarrator } from './broker/narrator/index.ts'
import { brokerService } from './broker/service.ts'
import type { BrokerService } from './broker/service.ts'
import { JOURNEY_IDLE_MS } from './broker/webhooks/index.ts'
import type { Configuration } from './configuration.ts'
import { deskApp } from './desk/application.ts'
import { scriptedDesk } from './desk/index.ts'
import { chooseModel } from './model.ts'

const PAGES = {
  '/': 'home/index.html',
  '/installer/:id': 'broker/installer/index.html',
  '/customer/:id': 'broker/customer/index.html',
  '/broker/disclosure/:id/:disclosureId': 'broker/customer/hosted/index.html',
  '/audit/:id': 'studio/index.html',
  '/threads/:id': 'studio/thread/index.html',
}

export interface ServerParts extends Pick<StoreOptions, 'storage' | 'cursors'> {
  readonly configuration: Configuration
  /** The store that the configuration names, unless it is given. */
  readonly store?: StoreOptions['store']
  /** Milliseconds between the parts that a scripted model streams. */
  readonly chunkDelayMs: number
}

/** All applications, open over one store, and what serves them. */
export interface Composed extends BrokerService {
  readonly throughline: Throughline
  readonly options: ServeOptions
}

/** Opens all applications over one store, ready to be served. */
export async function compose(parts: ServerParts): Promise<Composed> {
  const { configuration, chunkDelayMs, storage, cursors } = parts
  const tokens = new Tokens(configuration.secrets)
  const logger = pino({ level: configuration.logLevel }, pino.destination(2))
  const logs = (what: string) => (error: unknown, thread?: string) =>
    logger.error({ err: error, thread }, what)
  const webhooks = configuration.webhooks && {
    ...configuration.webhooks,
    onFault: logs('cannot send webhooks'),
  }
  const broker = defineBroker({
    model: await chooseModel(configuration, scriptedNarrator({ chunkDelayMs })),
    now: Date.now,
    sha256,
    panel: choosePanel(configuration),
    idleMs: webhooks && (webhooks.idleMs ?? JOURNEY_IDLE_MS),
  })
  const desk = deskApp(await chooseModel(configuration, scriptedDesk({ chunkDelayMs })))
  const { threadTokensPerDay: tokensPerDay, publicUrl } = configuration
  const throughline = await open({
    store: parts.store ?? configuration.storeUrl,
    apps: [broker.app, desk],
    ...(storage && { storage }),
    ...(cursors && { cursors }),
    ...(tokensPerDay === undefined ? {} : { limits: { tokensPerDay } }),
    onFault: logs('cannot do due work'),
  })
  const service = brokerService({
    ...broker,
    throughline,
    tokens,
    now: Date.now,
    id: uuidv7,
    ...(webhooks && { webhooks }),
    ...(publicUrl && { publicUrl }),
  })
  const options = {
    ...configuration,
    tokens,
    version: await packageVersion(),
    extensions: [service.extension, noTeam],
    pages: { folder: 'dist/pages', routes: PAGES },
    logger,
  }
  return { ...service, throughline, options }
}

/** Serves what is open. Closing also sends what webhooks have under way, and closes the store. */
export async function serveAll(
  { throughline, webhooks, options }: Composed,
  changes: Partial<ServeOptions> = {},
): Promise<RunningServer> {
  const server = await serve(throughline, { ...options, ...changes })
  webhooks?.start()
  return {
    url: server.url,
    async close() {
      await Promise.all([server.close(), webhooks?.close(DRAIN_GRACE_MS)])
      await throughline.close(0)
    },
  }
}

function choosePanel({ lenderBaseUrl: baseUrl }: Configuration): LenderPanel {
  return baseUrl === undefined
    ? builtInPanel
    : httpPanel({ baseUrl, lenders: builtInPanel.lenders })
}

/** What the team will say of its session; without a team there is none. */
const noTeam: Extension = {
  health: () => ({ sessionActive: false, sessionId: null, needsSetup: false, authMethod: 'none' }),
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  return version
}
