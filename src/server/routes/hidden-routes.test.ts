import type { Hono } from 'hono'
import { expect, test } from 'vitest'
import { byHeader, open, quiet } from '../mounted-routes.fixture.ts'
import { routes } from './routes.ts'

/** An extension with one route. */
const of = (method: string, path: string) => ({
  mount: (hono: Hono) => void hono.on(method, path, (context) => context.text(path)),
})

test.each([
  ['GET', '/api/cards/new', '/api/cards/:id'],
  ['GET', '/api/cards/:card', '/api/cards/:id'],
  ['GET', '/api/threads/mine/state', '/api/threads/:id/state'],
])('a route that another answers for is refused: %s %s behind %s', async (method, path, before) => {
  const throughline = await open()
  const extensions = [of(method, before), of(method, path)].slice(before.includes('thread') ? 1 : 0)
  expect(() => routes(throughline, { ...quiet, extensions })).toThrow(
    expect.objectContaining({
      code: 'hidden_route',
      message: `Cannot mount "${method} ${path}": "${method} ${before}" answers for it; give it another path, or put its extension first`,
    }),
  )
})

test('a route is reached in front of a wider one, and beside one of another method', async () => {
  const extensions = [of('GET', '/cards/new'), of('GET', '/cards/:id'), of('POST', '/cards/new')]
  const { fetch: ask } = routes(await open(), { ...quiet, authenticate: byHeader, extensions })
  for (const [method, path, route] of [
    ['GET', '/cards/new', '/cards/new'],
    ['GET', '/cards/7', '/cards/:id'],
    ['POST', '/cards/new', '/cards/new'],
  ] as const) {
    const answer = await ask(new Request(`http://127.0.0.1${path}`, { method }))
    expect(await answer.text()).toBe(route)
  }
})

test('an extension with a part that there is not, and callers who are not asked for by a function, are refused', async () => {
  const throughline = await open()
  expect(() => routes(throughline, { extensions: [{ mounts() {} } as object] })).toThrow(
    expect.objectContaining({ code: 'unknown_option' }),
  )
  const authenticate = { role: 'responder' } as never
  expect(() => routes(throughline, { authenticate })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  )
})
