import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { PHONE, noChromium, sharedChromium } from './chromium.fixture.ts'
import { emptiedContext } from './emptied-contexts.fixture.ts'

async function serveCookies(): Promise<string> {
  const server = createServer(({ headers }, response) => {
    response.setHeader('set-cookie', 'session=1; HttpOnly')
    response.end(`cookies: ${headers.cookie ?? 'none'}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What a page finds in a context that it is opened in, before it leaves something of each kind. */
async function findAndLeave(context: BrowserContext, url: string) {
  const page = await context.newPage()
  await page.goto(url)
  const text = await page.locator('body').innerText()
  const kept = await page.evaluate(async () => {
    const found = { local: localStorage.length, session: sessionStorage.length }
    const databases = (await indexedDB.databases()).length
    localStorage.setItem('draft', 'kept')
    sessionStorage.setItem('draft', 'kept')
    await new Promise((resolve) => {
      indexedDB.open('drafts').addEventListener('success', resolve)
    })
    return { ...found, databases, entries: history.length, online: navigator.onLine }
  })
  return { text, ...kept }
}

test.skipIf(noChromium)(
  'a context that a test gives back keeps no page, storage, cookie, route or lost connection for the next',
  async () => {
    const url = await serveCookies()
    const first = await emptiedContext(await sharedChromium(), PHONE)
    const found = await findAndLeave(first.context, url)
    await first.context.route('**', (route) => route.fulfill({ body: 'not the server' }))
    await first.context.setOffline(true)
    await first.giveBack()
    const second = await emptiedContext(await sharedChromium(), PHONE)
    expect(second.context).toBe(first.context)
    expect(second.context.pages()).toHaveLength(1)
    expect(await findAndLeave(second.context, url)).toEqual(found)
    expect(found).toMatchObject({ text: 'cookies: none', local: 0, session: 0, databases: 0 })
    await second.giveBack()
  },
)
