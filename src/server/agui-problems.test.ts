import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { post, serveAgui } from './agui-server.fixture.ts'
import { OPERATOR_TOKEN } from './callers.fixture.ts'

const ids = () => ({ threadId: randomUUID(), runId: randomUUID(), messages: [] })

interface Problem {
  readonly code: string
  readonly detail: string
}

const problemIn = (text: string) => JSON.parse(text) as Problem

test('a problem says what to do: which agents there are, which characters a thread id may have', async () => {
  const { url } = await serveAgui()
  const unknown = await post(`${url}/agui/nobody`, ids())
  expect(unknown.status).toBe(404)
  expect(problemIn(unknown.text).detail).toBe(
    'Cannot ask "nobody": the agents are "clerk", "teller"',
  )
  const long = await post(`${url}/agui/clerk`, { ...ids(), threadId: 't'.repeat(500) })
  expect(long.status).toBe(400)
  expect(problemIn(long.text)).toMatchObject({
    code: 'invalid_body',
    detail: expect.stringContaining('"threadId"') as string,
  })
  const broken = await post(`${url}/agui/clerk`, '{"threadId" "t"}')
  expect(problemIn(broken.text).detail).toBe(
    'Cannot read the body: it is not JSON at line 1 column 13',
  )
})

test('without a token, and with a wrong one, the problem says what to send', async () => {
  const { url } = await serveAgui({ operatorToken: OPERATOR_TOKEN })
  const none = await post(`${url}/agui/clerk`, ids())
  expect(none.status).toBe(401)
  expect(problemIn(none.text).detail).toContain('"Authorization: Bearer TOKEN"')
  const wrong = await fetch(`${url}/agui/info`, { headers: { authorization: 'Bearer nonsense' } })
  expect(wrong.status).toBe(401)
  expect(problemIn(await wrong.text()).detail).toContain('get a new one')
})

test('on open loopback a thread that does not exist is not found, whatever is asked of it', async () => {
  const { url } = await serveAgui()
  const { threadId } = ids()
  const stopped = await fetch(`${url}/agui/clerk/stop/${threadId}`, { method: 'POST' })
  const state = await fetch(`${url}/api/threads/${threadId}/state`)
  expect([stopped.status, state.status]).toEqual([404, 404])
})

test('a page of another origin reads where its origin is allowed', async () => {
  const { url } = await serveAgui()
  const asked = await post(`${url}/agui/clerk`, ids(), { origin: 'https://other.example' })
  expect(asked.status).toBe(403)
  expect(problemIn(asked.text).detail).toContain('ALLOWED_ORIGINS')
})

const sent = (url: string, body: object) => post(`${url}/agui/clerk`, JSON.stringify(body))
const parts = (...content: readonly object[]) => ({ id: randomUUID(), role: 'user', content })

test('a message with a picture is refused by the name of its part, and nothing is recorded', async () => {
  const { url, log } = await serveAgui()
  const asked = ids()
  const picture = {
    type: 'image',
    source: { type: 'url', value: 'https://example.com/receipt.png' },
  }
  const message = parts({ type: 'text', text: 'What is this?' }, picture)
  const answer = await sent(url, { ...asked, messages: [message] })
  expect(answer.status).toBe(400)
  expect(problemIn(answer.text)).toMatchObject({
    code: 'unsupported_content',
    detail: expect.stringContaining('a file of the type "image" to "clerk"') as string,
  })
  expect(await log.head(asked.threadId)).toBe(-1)
})

test('the texts of a message in parts become paragraphs, and its client holds the same history', async () => {
  const { url } = await serveAgui()
  const asked = ids()
  const message = parts({ type: 'text', text: 'First.' }, { type: 'text', text: 'Second.' })
  const said = await sent(url, { ...asked, messages: [message] })
  expect(said.text).toContain('Heard: First.\\n\\nSecond.')
  const again = await sent(url, { ...asked, messages: [message] })
  expect(again.text).not.toContain('MESSAGES_SNAPSHOT')
})

test('a client tool’s result with a picture is refused, and the call waits on', async () => {
  const { url } = await serveAgui()
  const asked = ids()
  const tools = [{ name: 'show', description: 'Shows a map', parameters: {} }]
  const message = { id: 'm1', role: 'user', content: 'show me' }
  const said = await sent(url, { ...asked, tools, messages: [message] })
  const toolCallId = /"toolCallId":"([^"]+)"/.exec(said.text)?.[1] ?? ''
  const content = [
    { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } },
  ]
  const result = { id: 'r1', role: 'tool', toolCallId, content }
  const next = { ...asked, runId: randomUUID(), tools }
  const refused = await sent(url, { ...next, messages: [message, result] })
  expect(problemIn(refused.text)).toMatchObject({ code: 'unsupported_content' })
  const words = { ...result, content: 'a map' }
  const answered = await sent(url, { ...next, messages: [message, words] })
  expect(answered.text).toContain('I have it: a map')
})
