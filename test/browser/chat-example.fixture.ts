import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import { TABLET, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'

/** It has a lock file of its own: `npm ci --prefix FOLDER` installs what its page needs. */
export function chatExample(folder: string, server = resolve('examples/use-chat/server.ts')) {
  const page = resolve(folder)
  const isMissing = noChromium || !existsSync(`${page}/node_modules`)
  beforeAll(() => {
    if (!isMissing) execFileSync('npm', ['run', 'build', '--silent'], { cwd: page })
  })
  return { isMissing, startServer: (pauseMs: number) => startServer(server, page, pauseMs) }
}

/** Starts the server that the page belongs to, and returns its address. */
async function startServer(server: string, page: string, pauseMs: number): Promise<string> {
  const flag = '--conditions=throughline-source'
  const env = { PATH: process.env['PATH'], PORT: '0', STORE: 'memory:', PAUSE_MS: String(pauseMs) }
  const child = spawn(process.execPath, [flag, server, `${page}/dist`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // A library may greet before it.
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /Open (\S+)/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`Cannot start ${server}: it ended without an address`)
}

export async function openTab(address: string) {
  const { page, faults } = await openPage(await sharedChromium(), TABLET)
  await page.goto(address)
  return { page, faults }
}

export async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel('Message').fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}
