import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { Holdings } from 'throughline/log'
import type { Cursors, EventLog } from 'throughline/log'
import { Tokens } from 'throughline/server'
import type { ServeOptions } from 'throughline/server'
import { sha256, uuidv7 } from 'throughline/storage'
import { brokerApplication } from './broker/application.ts'
import { builtInPanel, httpPanel } from './broker/lenders/index.ts'
import type { LenderPanel } from './broker/lenders/index.ts'
import { scriptedNarrator } from './broker/narrator/index.ts'
import type { Configuration } from './configuration.ts'
import { deskApplication } from './desk/application.ts'
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

export interface ServerParts {
  readonly configuration: Configuration
  readonly log: EventLog
  readonly cursors?: Cursors | undefined
  /** Milliseconds between the parts that a scripted model streams. */
  readonly chunkDelayMs: number
}

/** Everything that the server serves, put together over one log. */
export async function composeServer({
  configuration,
  log,
  cursors,
  chunkDelayMs,
}: ServerParts): Promise<ServeOptions> {
  const tokens = new Tokens(configuration.secrets)
  const scripted = { chunkDelayMs }
  const narrator = await chooseModel(configuration, scriptedNarrator(scripted))
  const clerks = await chooseModel(configuration, scriptedDesk(scripted))
  const { threadTokensPerDay: tokensPerDay } = configuration
  const threadLimits = tokensPerDay === undefined ? {} : { tokensPerDay }
  const panel = choosePanel(configuration)
  const logger = pino({ level: configuration.logLevel }, pino.destination(2))
  const logs = (what: string) => (error: unknown, thread?: string) =>
    logger.error({ err: error, thread }, what)
  const engine = { holdings: new Holdings(log.leases), onFault: logs('cannot do due work') }
  const parts = { log, now: Date.now, id: uuidv7, sha256, threadLimits, ...engine }
  const webhooks = configuration.webhooks && {
    ...configuration.webhooks,
    onFault: logs('cannot send webhooks'),
  }
  const { publicUrl } = configuration
  const brokerParts = { ...parts, model: narrator, tokens, panel, ...(publicUrl && { publicUrl }) }
  const broker = brokerApplication({ ...brokerParts, cursors, ...(webhooks && { webhooks }) })
  const desk = deskApplication({ ...parts, model: clerks })
  return {
    ...configuration,
    log,
    cursors,
    tokens,
    version: await packageVersion(),
    applications: [broker, desk],
    pages: { folder: 'dist/pages', routes: PAGES },
    logger,
  }
}

function choosePanel({ lenderBaseUrl: baseUrl }: Configuration): LenderPanel {
  return baseUrl === undefined
    ? builtInPanel
    : httpPanel({ baseUrl, lenders: builtInPanel.lenders })
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  return version
}
