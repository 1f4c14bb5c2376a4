import type { Page } from 'playwright-core'
import { open } from 'throughline'
import { serve } from 'throughline/server'
import { uuidv7 } from 'throughline/log'
import { inject, onTestFinished } from 'vitest'
import { claudePrograms } from '../../apps/team/claude-programs.ts'
import { defineTeam } from '../../apps/team/definition.ts'
import { teamService } from '../../apps/team/service.ts'
import type { Programs } from '../../apps/team/session/index.ts'
import { newFolder } from '../folders.fixture.ts'
import { openPage, sharedChromium } from './chromium.fixture.ts'

/** A server whose team is played by these programs; without them by the built-in one, in a process of its own. */
export async function serveTeam(given?: Programs) {
  const dataDir = newFolder()
  const folder = `${dataDir}/team`
  const programs = given ?? claudePrograms({ folder, environment: process.env, screenPort: 0 })
  const app = defineTeam()
  const throughline = await open({ store: 'memory:', apps: [app] })
  const service = await teamService({
    throughline,
    app,
    programs,
    folder,
    dataDir,
    screenPort: 0,
    served: 'all',
    demoMode: false,
    auth: { authMethod: 'none', needsSetup: false, expiresInMinutes: null },
    askAuth: async () => ({ authMethod: 'none', needsSetup: false, expiresInMinutes: null }),
    now: Date.now,
    id: uuidv7,
    onFault: (error) => {
      throw error
    },
    onWarning: () => undefined,
  })
  const pages = {
    folder: inject('pages'),
    routes: { '/team': 'team/console/index.html', '/audit/:id': 'pages/audit/index.html' },
    frames: { outer: ['/team'], inner: [] },
  }
  const server = await serve(throughline, { port: 0, extensions: [service.extension], pages })
  await service.start()
  onTestFinished(async () => {
    await service.close()
    await server.close()
    await throughline.close(0)
  })
  return `${server.url}/team`
}

export const DESK = { width: 1440, height: 900 }

/** Opens the team's page in a browser of its own. */
export async function openTab(url: string, size = DESK) {
  const tab = await openPage(await sharedChromium(), size)
  await tab.page.goto(url)
  return tab
}

/** Opens the page of a team that has begun to play its demonstration. */
export async function openStarted(size = DESK) {
  const url = await serveTeam()
  const tab = await openTab(url, size)
  await tab.page.getByRole('button', { name: 'Start a demonstration' }).click()
  await tab.page.getByText('Hello. Summon your agents').waitFor()
  return { ...tab, url }
}

/** Has the built-in program make a call. */
export async function ask(url: string, tool: object): Promise<void> {
  await play(url, [{ tool }])
}

/** Has the built-in program do these steps, one after the other. */
export async function play(url: string, steps: readonly object[]): Promise<void> {
  await fetch(new URL('/api/send', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: JSON.stringify({ play: steps }) }),
  })
}

/** Resolves once nobody works. */
export async function idle(page: Page): Promise<void> {
  await page.getByRole('status', { name: /works now$/ }).waitFor({ state: 'detached' })
}
