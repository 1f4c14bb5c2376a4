import { createHash, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { brokerApplication } from '../../apps/broker/application.ts'
import type { LenderPanel } from '../../apps/broker/lenders/index.ts'
import type { LanguageModel } from '../../src/models/index.ts'
import { MemoryLog } from '../../src/log/index.ts'
import { Tokens, serve } from '../../src/server/index.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const id: () => string = randomUUID

const ROUTES = {
  '/': 'home/index.html',
  '/audit/:id': 'studio/index.html',
  '/installer/:id': 'broker/installer/index.html',
  '/customer/:id': 'broker/customer/index.html',
  '/broker/disclosure/:id/:disclosureId': 'broker/customer/hosted/index.html',
}

/** The broker with a model of the test's own, and its pages as they were built into a folder. */
export async function servePages({
  model,
  folder,
  port = 0,
  secret = 'a secret',
  ...access
}: {
  readonly model: LanguageModel
  readonly folder: string
  readonly port?: number
  readonly secret?: string
  readonly operatorToken?: string
  readonly publicUrl?: string
  readonly panel?: LenderPanel
}) {
  const log = new MemoryLog({ hash: sha256, now: Date.now, id })
  const tokens = new Tokens([secret])
  const broker = brokerApplication({ ...access, log, model, tokens, now: Date.now, id, sha256 })
  const server = await serve({
    ...access,
    host: '127.0.0.1',
    port,
    log,
    tokens,
    store: 'memory',
    version: 'test',
    applications: [broker],
    pages: { folder, routes: ROUTES },
    logger: pino({ level: 'silent' }),
  })
  return { url: server.url, log, close: () => server.close() }
}
