import type { Browser } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { TABLET, sharedChromium, noChromium } from './chromium.fixture.ts'
import { composer, settled } from './customer-page.fixture.ts'
import { press } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'
import { noOpenssl, startTlsProxy } from './tls-proxy.fixture.ts'

const OPERATOR_TOKEN = 'the-token-of-the-operator-of-this-test'

const cannotRun = noChromium || noOpenssl
let browser: Browser

beforeAll(async () => {
  if (!cannotRun) browser = await sharedChromium()
})

async function servedOverTls() {
  const proxy = await startTlsProxy()
  onTestFinished(() => proxy.close())
  const server = await servePages({
    model: scriptedNarrator(),
    folder: inject('pages'),
    operatorToken: OPERATOR_TOKEN,
    publicUrl: proxy.url,
  })
  onTestFinished(() => server.close())
  proxy.forwardTo(server.url)
  const answer = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  const { links } = (await answer.json()) as { links: { installer: string } }
  return { url: proxy.url, link: links.installer }
}

test.skipIf(cannotRun)(
  '[X16] behind a TLS proxy a browser keeps the cookies, and pages send, stream and reload',
  async ({ annotate }) => {
    const { url, link } = await servedOverTls()
    const context = await browser.newContext({ viewport: TABLET, ignoreHTTPSErrors: true })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    expect(link.startsWith(`${url}/installer/`)).toBe(true)
    await page.goto(link)
    await composer(page).fill('The customer is Sarah Jones')
    await press(page, 'Send')
    await settled(page)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Customer: Sarah Jones' }).waitFor()

    const signedIn = await page.evaluate(async (token) => {
      const body = JSON.stringify({ token })
      const headers = { 'content-type': 'application/json' }
      await fetch('/api/token', { method: 'POST', headers, body })
      return (await fetch('/api/threads')).status
    }, OPERATOR_TOKEN)
    expect(signedIn).toBe(200)
    const cookies = await context.cookies()
    expect(cookies).toHaveLength(3)
    for (const cookie of cookies) {
      expect(cookie.name).toMatch(/^__Host-/)
      expect(cookie).toMatchObject({
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        // A leading dot would be a Domain.
        domain: 'localhost',
      })
      expect(cookie.value).not.toContain(OPERATOR_TOKEN)
    }
    const after = await page.evaluate(async () => {
      await fetch('/api/token', { method: 'DELETE' })
      return (await fetch('/api/threads')).status
    })
    expect(after).toBe(401)
    // The browser id gives no access. It stays, because a new one would hide a shared browser.
    const left = (await context.cookies()).map(({ name }) => name)
    expect(left).toEqual(['__Host-browser-of-throughline'])
    await annotate(
      'Chromium kept 3 of 3 cookies over TLS, and none that lets in after sign-out',
      'promise',
    )
  },
)
