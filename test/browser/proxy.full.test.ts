import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { TABLET, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'

const EXAMPLE = resolve('examples/proxy')
/** It has a lock file of its own: `npm ci --prefix examples/proxy/page` installs what it needs. */
const notInstalled = !existsSync(`${EXAMPLE}/page/node_modules`)
const WHOLE = /^This is a long answer, .* The end\.$/

let browser: Browser

beforeAll(async () => {
  if (noChromium || notInstalled) return
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: `${EXAMPLE}/page` })
  browser = await sharedChromium()
})

/** Starts the agent and the proxy; returns the address of the page that asks the proxy. */
async function started(pauseMs: number): Promise<string> {
  const { PATH } = process.env
  const env = { PATH, AGENT_PORT: '0', PORT: '0', STORE: 'memory:', PAUSE_MS: String(pauseMs) }
  const child = spawn(process.execPath, [`${EXAMPLE}/start.ts`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const address = /Behind the log: (\S+)\n/.exec(said)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Cannot start the example: ${said}`)
}

async function openTab(address: string) {
  const { page, faults } = await openPage(browser, TABLET)
  await page.goto(address)
  return { page, faults }
}

const isReady = (page: Page) =>
  page.getByRole('status').getByText('ready', { exact: true }).waitFor()

async function say(page: Page, words: string): Promise<void> {
  await isReady(page)
  await page.getByLabel('Message').fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

test.skipIf(noChromium || notInstalled)(
  'the page of a bare agent is loaded again in mid-answer and in a second tab: both show all of it, and the state',
  async () => {
    const { page, faults } = await openTab(await started(60))
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    const second = await openTab(page.url())
    await page.reload()
    for (const tab of [page, second.page]) {
      await tab.getByText('The end.').waitFor()
      await isReady(tab)
      expect(await tab.locator('.assistant').textContent()).toMatch(WHOLE)
      expect(await tab.locator('#answers').textContent()).toBe('1')
    }
    expect([...faults, ...second.faults]).toEqual([])
  },
)

test.skipIf(noChromium || notInstalled)('a stop ends the answer for good', async () => {
  const { page } = await openTab(await started(60))
  await say(page, 'Hello')
  await page.getByText('This is a long').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await isReady(page)
  await page.reload()
  await isReady(page)
  expect(await page.locator('.assistant').textContent()).not.toMatch(WHOLE)
})
