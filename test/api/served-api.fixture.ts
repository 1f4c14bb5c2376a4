import type { Hono } from 'hono'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { Logger } from 'pino'
import { compose, serveAll } from '../../apps/compose.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import type { Extension, ServeOptions } from '../../src/server/index.ts'
import { openLog } from '../../src/storage/index.ts'
import type { EventLog } from '../../src/log/index.ts'
import { emptyFolder } from '../server-process.fixture.ts'

export const SECRET = 'the secret of a server under test'
export const OUTSIDE_PAGES = 'a file beside the pages'

/** One line of the server's own table of routes. */
export interface Route {
  readonly method: string
  readonly path: string
}

export interface ApiSetting {
  readonly operatorToken?: string
  readonly publicUrl?: string
  readonly logger?: Logger
  /** A folder of built pages; without one, there is a file for each, with nothing in it. */
  readonly pages?: string
}

/** What `npm start` serves, from this process and a memory log, with its table of routes. */
export async function serveApi(setting: ApiSetting = {}) {
  const folder = await emptyFolder()
  const configuration = await readConfiguration({
    DATA_DIR: folder,
    STORE: 'memory',
    PORT: '0',
    SECRET,
    ...(setting.operatorToken ? { OPERATOR_TOKEN: setting.operatorToken } : {}),
    ...(setting.publicUrl ? { PUBLIC_URL: setting.publicUrl } : {}),
  })
  const log = await openLog(configuration.storeUrl)
  const composed = await compose({ configuration, store: log, chunkDelayMs: 0 })
  const { options } = composed
  const pages = { routes: {}, ...options.pages, folder: setting.pages ?? join(folder, 'pages') }
  if (setting.pages === undefined) await writePages(pages)
  const tables: Hono[] = []
  const onlooker: Extension = { mount: (hono) => void tables.push(hono) }
  const server = await serveAll(composed, {
    pages,
    logger: setting.logger ?? pino({ level: 'silent' }),
    extensions: [...(options.extensions ?? []), onlooker],
  })
  return {
    log: composed.throughline.log,
    throughline: composed.throughline,
    url: server.url,
    port: Number(new URL(server.url).port),
    routes: () => tables.flatMap(routesOf),
    async close() {
      await server.close()
      await log.close()
    },
  }
}

export type ServedApi = Awaited<ReturnType<typeof serveApi>>

/**
 * Returns the heads of all threads as text: the same text before and after means that nothing was appended.
 * It leaves out the team's thread, because its program appends by itself.
 */
export async function progress(log: EventLog): Promise<string> {
  const threads = (await log.threads()).filter((thread) => thread !== 'team')
  const heads = await Promise.all(threads.map((thread) => log.head(thread)))
  return threads.map((thread, at) => `${thread} ${heads[at]}`).join('\n')
}

async function writePages(pages: NonNullable<ServeOptions['pages']>): Promise<void> {
  const { folder, routes, missing = 'missing.html' } = pages
  for (const file of [...Object.values(routes), missing]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), `<!doctype html><title>${file}</title>`)
  }
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'assets/page.js'), 'export {}')
  await writeFile(join(folder, '../outside.txt'), OUTSIDE_PAGES)
}

/** Paths of middleware that answers nothing by itself. */
const GUARDS = ['/*', '/agui/*', '/chat/*']

function routesOf({ routes }: Hono): Route[] {
  const named = new Set(routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path))
  // An `ALL` route on a path that also has other methods only refuses the remaining methods.
  const served = routes
    .filter(({ method, path }) => method !== 'ALL' || !(GUARDS.includes(path) || named.has(path)))
    .map(({ method, path }) => `${method === 'ALL' ? 'GET' : method} ${path}`)
  return [...new Set(served)].map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, path }
  })
}
