import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium, noChromium } from '../browser/chromium.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { readerFolder } from './reader-folder.fixture.ts'

const ANN = { cookie: 'session=ann-secret' }
const EVE = { cookie: 'session=eve-secret' }
/** Long enough to see the incident open after a restart. */
const ESCALATE_MS = 4_000

const folder = readerFolder('react', 'react-dom', 'scheduler')

beforeAll(async () => {
  cpSync(resolve('examples/incidents'), folder, { recursive: true })
  await build({ root: folder, logLevel: 'error', plugins: [react()] })
})

/** A pager that fails until it is mended, and says which pages it was asked to send. */
async function startPager() {
  const asked: (string | undefined)[] = []
  const pager = { asked, status: 503, url: '' }
  const server = createServer(({ headers }, response) => {
    asked.push(String(headers['idempotency-key']))
    response.writeHead(pager.status).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  pager.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return pager
}

async function startDesk(pager: string, store: string) {
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PAGER: pager,
      PORT: '0',
      STORE: `sqlite:${store}`,
      ESCALATE_MS: String(ESCALATE_MS),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${/ready on (\d+)/.exec(String(said))?.[1]}`
  const ask = async (path: string, headers: object, body?: unknown) => {
    const json = { 'content-type': 'application/json' }
    const response = await fetch(url + path, {
      headers: { ...headers, ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const state = async () => (await ask('/tl/api/threads/i-1/state', ANN)).body['state']
  return { url, ask, kill, state }
}

const ACKNOWLEDGE = { events: [{ type: 'acknowledged', data: {} }] }

test('an incident desk on the packed package: an effect over a kill, a deadline, roles and an inbox', async () => {
  const pager = await startPager()
  const store = join(newFolder(), 'incidents.db')
  const killed = await startDesk(pager.url, store)
  const reported = await killed.ask('/monitor/i-1', {}, { what: 'The shop is down' })
  expect(reported.status).toBe(200)
  await expect.poll(() => pager.asked.length).toBeGreaterThan(1)
  await killed.kill()
  const failed = pager.asked.length
  pager.status = 200
  const desk = await startDesk(pager.url, store)
  await expect.poll(() => pager.asked.length).toBeGreaterThan(failed)
  // The deadline may have passed by now: then another page follows at once, under its own key.
  expect(new Set(pager.asked.slice(0, failed + 1))).toEqual(new Set(['i-1 page 1']))
  expect((await desk.ask('/inbox', ANN)).body).toMatchObject({
    threads: [{ thread: 'i-1', app: 'incidents' }],
  })
  await expect.poll(desk.state).toMatchObject({ status: 'open', pages: { wanted: 2, sent: 2 } })
  expect((await desk.ask('/tl/api/threads/i-1/state', {})).status).toBe(401)
  const denied = await desk.ask('/tl/api/threads/i-1/events', EVE, ACKNOWLEDGE)
  expect(denied).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const taken = await desk.ask('/tl/api/threads/i-1/events', ANN, ACKNOWLEDGE)
  expect(taken.body).toMatchObject({ refused: [], state: { status: 'acknowledged', owner: 'ann' } })
  expect((await desk.ask('/inbox', ANN)).body).toMatchObject({ threads: [] })
})

test.skipIf(noChromium)('on its page a sub-agent is asked, and a person approves', async () => {
  const { url, ask, state } = await startDesk((await startPager()).url, join(newFolder(), 'i.db'))
  await ask('/monitor/i-1', {}, { what: 'The shop is down' })
  const browser = await sharedChromium()
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.addCookies([{ name: 'session', value: 'ann-secret', url }])
  const page = await context.newPage()
  await page.goto(`${url}/#i-1`)
  await page.getByRole('button', { name: 'Ask the coordinator' }).click()
  await page.getByRole('button', { name: 'Approve restart' }).click()
  await page.getByText('The cache was restarted. Watch it for ten minutes.').waitFor()
  expect(await state()).toMatchObject({ plan: 'Restart the cache' })
  const { body } = await ask('/tl/api/threads/i-1/events', ANN)
  const records = body['records'] as { type: string; origin: { actor?: string; agent?: string } }[]
  const approval = records.findLast(({ type }) => type === 'RUN_STARTED')
  expect(approval?.origin.actor).toBe('ann')
  expect(records.some(({ type }) => type === 'SUBAGENT_STARTED')).toBe(true)
  expect(records.find(({ type }) => type === 'restarted')?.origin.agent).toBe('coordinator')
})

test('the same application answers as a fetch handler of Next does, streams included', async () => {
  const program = `
    import { open } from 'throughline'
    import { routes } from 'throughline/server'
    import { app } from './incidents.ts'
    const tl = await open({ store: 'memory:', apps: [app('http://127.0.0.1:9')] })
    const authenticate = () => ({ role: 'responder', actor: 'ann' })
    const { fetch: handler } = routes(tl, { authenticate, prefix: '/api/tl' })
    await tl.as({ source: 'remote', surface: 'monitor' }).propose('i-1', [
      { type: 'reported', data: { what: 'The shop is down' } },
    ])
    const address = 'http://next.example/api/tl/api/threads/i-1/events'
    const headers = { accept: 'text/event-stream' }
    const leave = new AbortController()
    const response = await handler(new Request(address, { headers, signal: leave.signal }))
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('reported')) break
    }
    console.log(response.status, response.headers.get('content-type'), /event: hello/.test(text))
    leave.abort()
    await tl.close()`
  writeFileSync(join(folder, 'handler.ts'), program)
  const child = spawn(process.execPath, ['handler.ts'], { cwd: folder })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  await once(child, 'close')
  expect(said).toContain('200 text/event-stream; charset=utf-8 true')
})
