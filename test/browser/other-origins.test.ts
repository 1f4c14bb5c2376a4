import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { OPERATOR_TOKEN, guarded, serveCallers } from '../../src/server/callers.fixture.ts'
import { TABLET, sharedChromium, noChromium, openPage } from './chromium.fixture.ts'

/** Another server, with one empty page. */
async function otherServer(): Promise<number> {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' })
    answer.end('<!doctype html><title>Another site</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface Asked {
  readonly url: string
  readonly method: string
  readonly token?: string
  readonly credentials?: 'include'
}

/** Requests the server from a page on this origin: returns status and text, or the error. */
async function asker(origin: string, cookie?: { readonly value: string; readonly of: string }) {
  const { page, context } = await openPage(await sharedChromium(), TABLET)
  if (cookie) {
    const [name = '', value = ''] = cookie.value.split('=', 2)
    await context.addCookies([{ name, value, url: cookie.of }])
  }
  await page.goto(origin)
  return (asked: Asked) =>
    page.evaluate(async ({ url, method, token, credentials }) => {
      const headers = {
        'x-run-id': 'a run',
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      }
      const request = { method, headers, ...(method === 'POST' && { body: '{}' }) }
      try {
        const answer = await fetch(url, { ...request, ...(credentials && { credentials }) })
        return `${answer.status} ${await answer.text()}`
      } catch (error) {
        return String(error)
      }
    }, asked)
}

const BLOCKED = 'TypeError: Failed to fetch'

test.skipIf(noChromium)(
  '[X8] in a browser, pages of allowed origins alone read answers and streams, by bearer token alone',
  async () => {
    const port = await otherServer()
    const allowed = `http://localhost:${port}`
    const sameSite = `http://127.0.0.1:${port}`
    const { url, issue, call } = await serveCallers({
      ...guarded,
      allowedOrigins: [allowed, sameSite],
    })
    const { token } = await issue({ subject: 'ann', agents: ['clerk'] })
    const [echo, raw] = [`${url}/agui/asked/echo`, `${url}/agui/asked/raw`]

    const ask = await asker(allowed)
    expect(await ask({ url: echo, method: 'POST', token })).toBe('200 {"role":"caller"}')
    expect(await ask({ url: raw, method: 'GET', token })).toBe('200 data: 1\n\n')
    expect(await ask({ url: echo, method: 'POST' })).toMatch(/^401 .*unauthenticated/)
    expect(await ask({ url: `${url}/api/threads`, method: 'GET', token })).toBe(BLOCKED)

    const unlisted = await asker(`http://localhost:${await otherServer()}`)
    expect(await unlisted({ url: echo, method: 'POST', token })).toBe(BLOCKED)

    const signedIn = await call('/api/token', { body: { token: OPERATOR_TOKEN } })
    const value = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const own = await asker(`${url}/api/health`, { value, of: url })
    expect(await own({ url: echo, method: 'POST' })).toBe('200 {"role":"operator"}')
    const near = await asker(sameSite, { value, of: url })
    expect(await near({ url: echo, method: 'POST' })).toMatch(/^401 /)
    expect(await near({ url: echo, method: 'POST', credentials: 'include' })).toBe(BLOCKED)
  },
)
