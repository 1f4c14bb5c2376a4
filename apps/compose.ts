import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { open } from 'throughline'
import type { StoreOptions, Throughline } from 'throughline'
import { DRAIN_GRACE_MS } from 'throughline/server/extend'
import { Tokens, serve } from 'throughline/server'
import type { RunningServer, ServeOptions } from 'throughline/server'
import { sha256, uuidv7 } from 'throughline/log'
import { defineBroker } from './broker/definition.ts'
import { httpPanel } from './broker/lenders/gateway/index.ts'
import { builtInPanel } from './broker/lenders/index.ts'
import type { LenderPanel } from './broker/lenders/index.ts'
import { scriptedNarrator } from './broker/narrator/index.ts'
import { brokerService } from './broker/service.ts'
import type { BrokerService } from './broker/service.ts'
import { JOURNEY_IDLE_MS } from './broker/webhooks/index.ts'
import type { Configuration } from './configuration.ts'
import { deskApp } from './desk/application.ts'
import { scriptedDesk } from './desk/index.ts'
import { chooseModel } from './model.ts'
import { claudePrograms } from './team/claude-programs.ts'
import { defineTeam } from './team/definition.ts'
import { teamService } from './team/service.ts'
import { signInOf } from './team/sign-in.ts'
import type { TeamService, TeamServiceParts } from './team/service.ts'

/** The time for the team's program to end while the server still answers. */
const TEAM_END_GRACE_MS = 2_000

const PAGE_ROUTES = {
  '/': 'home/index.html',
  '/demonstration/:id': 'home/demonstration/index.html',
  '/components': 'components/index.html',
  '/help': 'broker/help/index.html',
  '/installer/:id': 'broker/installer/index.html',
  '/customer/:id': 'broker/customer/index.html',
  '/broker/disclosure/:id/:disclosureId': 'broker/customer/hosted/index.html',
  '/audit/:id': 'pages/audit/index.html',
  '/threads/:id': 'pages/threads/index.html',
  '/studio/': 'pages/studio/threads.html',
  '/studio/:id': 'pages/studio/index.html',
  '/team': 'team/console/index.html',
}

export const PAGES = {
  folder: 'dist/pages',
  routes: PAGE_ROUTES,
  frames: {
    outer: ['/demonstration/:id', '/team'],
    inner: ['/installer/:id', '/customer/:id', '/audit/:id'],
  },
  missing: 'home/missing/index.html',
}

export interface ServerParts extends Pick<StoreOptions, 'storage' | 'keys'> {
  readonly configuration: Configuration
  /** The store that the configuration names, unless it is given. */
  readonly store?: StoreOptions['store']
  /** Milliseconds between the parts that a scripted model streams. */
  readonly chunkDelayMs: number
}

/** All applications, open over one store, and what serves them. */
export interface Composed extends BrokerService {
  readonly throughline: Throughline
  readonly team: TeamService
  readonly options: ServeOptions
}

/** Opens all applications over one store, ready to be served. */
export async function compose(parts: ServerParts): Promise<Composed> {
  const { configuration, chunkDelayMs, storage } = parts
  const { keysUrl } = configuration
  const tokens = new Tokens(configuration.secrets)
  const logger = pino({ level: configuration.logLevel }, pino.destination(2))
  const logs = (what: string) => (error: unknown, thread?: string) =>
    logger.error({ err: error, thread }, what)
  const webhooks = configuration.webhooks && {
    ...configuration.webhooks,
    onFault: logs('cannot send webhooks'),
  }
  const { claudeBin: bin, environment } = configuration.team
  const askAuth = () => signInOf({ bin, environment, now: Date.now })
  const auth = askAuth()
  const broker = defineBroker({
    model: await chooseModel(configuration, scriptedNarrator({ chunkDelayMs })),
    now: Date.now,
    sha256,
    panel: choosePanel(configuration),
    erasable: true,
    idleMs: webhooks && (webhooks.idleMs ?? JOURNEY_IDLE_MS),
  })
  const desk = deskApp(await chooseModel(configuration, scriptedDesk({ chunkDelayMs })))
  const teamApp = defineTeam()
  const { threadTokensPerDay: tokensPerDay, publicUrl } = configuration
  const throughline = await open({
    store: parts.store ?? configuration.storeUrl,
    apps: [broker.app, desk, teamApp],
    ...(storage && { storage }),
    keys: parts.keys ?? keysUrl,
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
  const team = await openTeam({
    configuration,
    auth: await auth,
    askAuth,
    throughline,
    app: teamApp,
    onFault: logs('cannot run the team'),
    onWarning: (text) => logger.warn(text),
  })
  const options = {
    ...servedBy(configuration),
    tokens,
    version: await packageVersion(),
    extensions: [team.extension, service.extension],
    pages: PAGES,
    logger,
  }
  return { ...service, throughline, team, options }
}

/** The settings that `serve` takes as they are. */
function servedBy({
  host,
  port,
  store,
  operatorToken,
  publicUrl,
  allowedOrigins,
  checkpointKey,
  witnesses,
  streamsPerToken,
  turnsPerMinute,
}: Configuration): ServeOptions {
  return {
    host,
    port,
    store,
    streamsPerToken,
    turnsPerMinute,
    metrics: true,
    ...(operatorToken !== undefined && { operatorToken }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(allowedOrigins && { allowedOrigins }),
    ...(checkpointKey !== undefined && { checkpointKey }),
    ...(witnesses && { witnesses }),
  }
}

/** Serves an opened store. Closing also finishes webhooks under way, and closes the store. */
export async function serveAll(
  { throughline, webhooks, team, options }: Composed,
  changes: Partial<ServeOptions> = {},
): Promise<RunningServer> {
  const server = await serve(throughline, { ...options, ...changes })
  webhooks?.start()
  await team.start()
  return {
    url: server.url,
    async close() {
      const teamClosed = team.close()
      const closing = [teamClosed, webhooks?.close(DRAIN_GRACE_MS)]
      // The server ends all streams: before that, tabs see the end of the team's session.
      const grace = delay(TEAM_END_GRACE_MS, undefined, { ref: false })
      await Promise.race([Promise.allSettled([teamClosed]), grace])
      await Promise.all([...closing, server.close()])
      await throughline.close(0)
    },
  }
}

function choosePanel({ lenderBaseUrl: baseUrl }: Configuration): LenderPanel {
  return baseUrl === undefined
    ? builtInPanel
    : httpPanel({ baseUrl, lenders: builtInPanel.lenders })
}

type OpenTeam = Pick<
  TeamServiceParts,
  'throughline' | 'app' | 'auth' | 'askAuth' | 'onFault' | 'onWarning'
> & { readonly configuration: Configuration }

async function openTeam({ configuration, ...parts }: OpenTeam): Promise<TeamService> {
  const { dataDir, team, store } = configuration
  const served = store === 'memory' ? 'newest' : 'all'
  const { teamDir: folder, claudeBin: bin, environment, fetchHosts, screenPort } = team
  const programs = claudePrograms({ bin, folder, environment, fetchHosts, screenPort })
  return teamService({
    ...parts,
    ...team,
    programs,
    served,
    folder,
    dataDir,
    now: Date.now,
    id: uuidv7,
  })
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  return version
}
