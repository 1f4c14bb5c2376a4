import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { browserSession } from './browser-session.ts'
import { Cookies } from './cookies.ts'

const cookies = new Cookies()
const app = new Hono().get('/', (context) => context.text(browserSession(context, cookies)))

async function visit(url: string, cookie = '') {
  const response = await app.request(url, { headers: { cookie, host: new URL(url).host } })
  return { session: await response.text(), line: response.headers.get('set-cookie') ?? '' }
}

test('[S12] on loopback it has a plain name; brought back, it stays and lives on', async () => {
  const { session, line } = await visit('http://127.0.0.1/')
  expect(line).not.toContain('Secure')
  expect(line).toContain('Max-Age=2592000')
  const again = await visit('http://127.0.0.1/', line.split('; ')[0])
  expect(again).toEqual({ session, line })
  const other = await visit('http://127.0.0.1/')
  expect(other.session).not.toBe(session)
})
