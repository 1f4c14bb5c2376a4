import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { noPostgres, postgresServer } from '../../src/storage/postgres/postgres-server.fixture.ts'
import { noChromium, sharedChromium } from '../browser/chromium.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { readerFolder } from './reader-folder.fixture.ts'

const THREAD = 'claim-ann-1'
const REPORT = 'I am Ann Smith, somebody rear-ended me at Elm Road 7. My policy is P-100.'
/** Nothing of these may reach an auditor. */
const PERSONAL = ['Ann Smith', 'Elm Road', 'rear-ended', 'bumper.jpg']

const folder = readerFolder('react', 'react-dom', 'scheduler')
const postgres = noPostgres ? undefined : postgresServer()

beforeAll(async () => {
  cpSync(resolve('examples/claims'), folder, { recursive: true })
  await build({ root: folder, logLevel: 'error', plugins: [react()] })
})

async function startServer(store: string) {
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', STORE: store },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${/ready on (\d+)/.exec(String(said))?.[1]}`
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const ask = (name: string, path: string, body?: object) =>
    fetch(`${url}/api/threads/${THREAD}/${path}`, {
      headers: { cookie: `session=${name}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  return { url, kill, ask }
}

/** A browser of a person's own. */
async function browserOf(name: string) {
  const context = await (await sharedChromium()).newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  return {
    page,
    async opens(url: string, hash: string) {
      await page.goto(`${url}/login/${name}`)
      await page.goto(`${url}/#${hash}`)
      await page.reload()
    },
  }
}

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel('Message').fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

const stores = [
  { name: 'SQLite', store: async () => `sqlite:${join(newFolder(), 'claims.db')}`, servers: 1 },
  { name: 'Postgres', store: async () => postgres?.newDatabase() ?? '', servers: 2 },
]

test.skipIf(noChromium).each(noPostgres ? stores.slice(0, 1) : stores)(
  'two people in two browsers, $name with $servers servers: a handler approves while the holder chats on',
  async ({ store, servers }) => {
    const address = await store()
    let first = await startServer(address)
    const second = servers === 2 ? await startServer(address) : undefined
    const ann = await browserOf('ann')
    await ann.opens(first.url, THREAD)
    await say(ann.page, REPORT)
    await ann.page.getByRole('button', { name: 'Take a photo' }).click()
    await ann.page.getByText('Thank you for bumper.jpg.').waitFor()

    const harry = await browserOf('harry')
    await harry.opens((second ?? first).url, `${THREAD},handler`)
    await harry.page.getByText('It is referred.').waitFor()
    await harry.page.getByRole('button', { name: 'Approve claim' }).click()
    await harry.page.getByText('It is approved.').waitFor()

    await say(ann.page, 'Please pay it')
    await ann.page.getByText('A handler decides about the payment. I will tell you.').waitFor()
    await ann.page.getByText('A handler decides about a payment.').waitFor()
    await say(ann.page, 'Thanks!')
    await ann.page.getByText('What else can I do for you?').waitFor()

    // The question and the claim outlive the process that asked.
    await first.kill()
    first = await startServer(address)
    await ann.opens(first.url, THREAD)
    if (!second) await harry.opens(first.url, `${THREAD},handler`)
    await ann.page.getByText('A handler decides about a payment.').waitFor()
    await harry.page.getByRole('button', { name: 'Pay £6200' }).click()
    await ann.page.getByText('News of your payment:').waitFor()
    await ann.page.getByText('£6200 is paid').waitFor()
    await harry.page.getByText('It is paid.').waitFor()
    await expect.poll(() => harry.page.getByRole('button', { name: 'Pay £6200' }).count()).toBe(0)

    for (const path of ['export', 'export?format=csv', 'events', 'state', 'events?view=agent']) {
      const text = await (await first.ask('eve', path)).text()
      expect(text).toContain('redacted')
      for (const value of PERSONAL) expect([path, text.includes(value)]).toEqual([path, false])
    }
  },
  90_000,
)

test('the holder approves nothing, and another holder does not get in', async () => {
  const { ask } = await startServer(`sqlite:${join(newFolder(), 'claims.db')}`)
  const run = { agent: 'triage', input: 'pay please' }
  const { runId } = (await (await ask('ann', 'runs', run)).json()) as { readonly runId: string }
  const values = { approved: true }
  await expect
    .poll(async () => (await ask('ann', `runs/${runId}/resume`, { values })).json())
    .toMatchObject({
      status: 403,
      detail: '"holder" may not decide about "pay": only "handler" may',
    })
  expect(await (await ask('bob', 'state')).json()).toMatchObject({
    status: 403,
    detail: 'This is not your claim',
  })
  expect((await ask('nobody', 'state')).status).toBe(401)
})
