import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { noChromium, openPage, sharedChromium } from '../browser/chromium.fixture.ts'
import { checkAccessible } from '../browser/journey-steps.fixture.ts'
import { readerFolder } from './reader-folder.fixture.ts'

const SERVER = `
import { z } from 'zod'
import { defineAgent, defineDomain, open, scriptedModel } from 'throughline'
import { serve } from 'throughline/server'

const { event, domain } = defineDomain()
const incidents = domain({
  name: 'incidents',
  initial: { status: 'none', plan: null },
  events: {
    opened: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: (s) => ({ ...s, status: 'open' }) }),
    planned: event({
      schema: z.object({ plan: z.string() }),
      by: [{ source: 'model' }],
      reduce: (s, { plan }) => ({ ...s, plan }),
    }),
    resolved: event({
      schema: z.object({}),
      by: [{ source: 'ui' }],
      from: { status: 'open' },
      reduce: (s) => ({ ...s, status: 'resolved' }),
    }),
  },
})
const model = scriptedModel(() => 'Restart it. <agent-event type="planned" data=\\'{"plan":"Restart the cache"}\\' />')
const helper = defineAgent({ name: 'helper', model, emits: ['planned'] })
const tl = await open({ store: 'memory:', domain: incidents, agents: [helper] })
await tl.propose('inc-7', [{ type: 'opened', data: {} }])
await tl.turn('inc-7', { agent: 'helper', input: 'What helped last time?' }).result
await tl.propose('inc-7', [{ type: 'resolved', data: {} }])
const server = await serve(tl, { port: 0, prefix: '/tl', studio: true })
console.log(server.url)
`

test.skipIf(noChromium)(
  'an application of somebody else has the page of its threads, under its own prefix',
  async () => {
    const folder = readerFolder()
    writeFileSync(join(folder, 'server.js'), SERVER)
    const child = spawn(process.execPath, ['server.js'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(String(said))?.[0] ?? ''
    const { page, faults } = await openPage(await sharedChromium(), { width: 1440, height: 900 })
    const studio = `${url}/tl/studio/inc-7`
    await page.goto(studio)
    const timeline = page.getByRole('region', { name: /^Timeline/ })
    await timeline
      .getByText(/planned/i)
      .first()
      .waitFor()
    await page.getByText(/Chain verified up to record/).waitFor()
    await checkAccessible(page, 'the studio')
    const planned = timeline.getByRole('link', { name: /^Record \d+: / }).nth(2)
    await planned.click()
    await page.getByText(/^What record \d+ changed/).waitFor()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('link', { name: 'helper' }).waitFor()
    await page.goto(`${studio}?tab=compare&with=inc-7%400`)
    await page.getByText('/status').waitFor()
    await page.goto(`${studio}?tab=what-if&ev=1`)
    await page.getByRole('button', { name: 'Fork after record 1' }).click()
    await page.getByLabel('Agent').fill('helper')
    await page.getByLabel('Message').fill('And now?')
    await page.getByRole('button', { name: 'Ask in the fork' }).click()
    await page.getByText('And now?').last().waitFor()
    // The list of all threads, a search in them, and a bundle of one: all below the prefix.
    await page.goto(`${url}/tl/studio?q=last+time`)
    await page.getByText(/^Everything was searched/).waitFor()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('link', { name: 'inc-7' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Bundle for an auditor' }).click()
    const file = join(folder, 'inc-7.html')
    await (await saved).saveAs(file)
    await page.goto(pathToFileURL(file).href)
    await page.getByText(/^Sound up to record \d+/).waitFor()
    await page.goto(`${url}/tl/studio/no-such-thread`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
  },
  60_000,
)
