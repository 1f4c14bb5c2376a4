import type { EventLog } from 'throughline/log'
import { openLog } from 'throughline/log'
import { expect, test } from 'vitest'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { answerOf, executions, keyedRoutes, send } from './keyed-routes.fixture.ts'
import type { Asked, KeyedRoute } from './keyed-routes.fixture.ts'

const KEY = 'one key'

interface Served {
  readonly log: EventLog
  readonly url: string
  close(): Promise<void>
}

async function start(path: string, route: KeyedRoute): Promise<Served> {
  const log = await openLog(`sqlite:${path}`)
  const server = await route.serve(log)
  const close = async (): Promise<void> => {
    await server.close()
    await log.close()
  }
  return { log, url: server.url, close }
}

/** Sends every other content under the key, and counts requests that were not refused and executions. */
async function misuse({ log, url }: Served, asked: Asked) {
  const before = await executions(log)
  const codes: unknown[] = []
  for (const other of asked.others) {
    const { status, body } = await send(url, asked, { body: other, key: KEY })
    codes.push(`${status} ${String(body['code'])}`)
  }
  return { codes, executed: (await executions(log)) - before }
}

const refusedAll = ({ others }: Asked) => ({
  codes: others.map(() => '422 key_reused'),
  executed: 0,
})

async function checkRoute(route: KeyedRoute): Promise<number> {
  const path = freshPath()
  let served = await start(path, route)
  const asked = await route.prepare(served.url)
  const first = answerOf(await send(served.url, asked, { body: asked.first, key: KEY }))
  expect(first.status, route.name).toBeLessThan(300)
  expect(await misuse(served, asked), route.name).toEqual(refusedAll(asked))
  await served.close()

  served = await start(path, route)
  expect(await misuse(served, asked), `${route.name} after a restart`).toEqual(refusedAll(asked))
  const before = await executions(served.log)
  const again = answerOf(await send(served.url, asked, { body: asked.first, key: KEY }))
  expect(again, `${route.name}: the first content again`).toEqual(first)
  expect(await executions(served.log)).toBe(before)
  const both = await route.prepare(served.url)
  const answers = await Promise.all(
    [both.first, both.others[0] ?? {}].map((body) => send(served.url, both, { body, key: 'both' })),
  )
  expect(answers.map(({ body }) => body['code']).toSorted(), `${route.name} at once`).toEqual([
    'key_reused',
    undefined,
  ])
  await served.close()
  return 2 * asked.others.length + 1
}

test('[S13] on every route a key belongs to its first request, before and after a restart', async ({
  annotate,
}) => {
  const routes = await keyedRoutes()
  let misuses = 0
  for (const route of routes) misuses += await checkRoute(route)
  await annotate(
    `${routes.length} routes: ${misuses} of ${misuses} requests with other content were refused with 422, 0 were executed; the first content got its first answer after a restart`,
    'promise',
  )
})
