import { expect, test } from 'vitest'
import { byHeader, open, quiet } from '../mounted-routes.fixture.ts'
import { routes } from '../index.ts'

async function ask(path: string, method: string, prefix?: string) {
  const throughline = await open()
  const http = routes(throughline, {
    ...quiet,
    authenticate: byHeader,
    ...(prefix === undefined ? {} : { prefix }),
  })
  const answer = await http.fetch(new Request(`http://any.example${path}`, { method }))
  return { status: answer.status, allow: answer.headers.get('allow'), text: await answer.text() }
}

test.each([
  ['/api/health', 'DELETE', 'GET, HEAD'],
  ['/api/threads/t/events', 'PUT', 'GET, HEAD, POST'],
  ['/tl/api/threads/t/events', 'PATCH', 'GET, HEAD, POST'],
  ['/agui/payer', 'PUT', 'GET, HEAD, POST'],
  ['/agui/agent/payer/run', 'GET', 'POST'],
  ['/agui/info', 'PUT', 'GET, HEAD'],
])('%s takes no %s: 405, with the methods that it takes', async (path, method, allow) => {
  const prefix = path.startsWith('/tl') ? '/tl' : undefined
  const answer = await ask(path, method, prefix)
  expect(answer).toMatchObject({ status: 405, allow })
  expect(answer.text).toContain('"method_not_allowed"')
})

test('an address that is none is 404 for every method', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect(await ask('/api/nothing', method)).toMatchObject({ status: 404, allow: null })
  }
})
