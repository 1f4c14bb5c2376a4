import { expect, onTestFinished, test } from 'vitest'
import { defineAgent, open, scriptedModel } from '../public/index.ts'
import { routes } from './index.ts'

const PHOTO = {
  type: 'image',
  source: { type: 'data', value: 'iVBORw0KGgo=', mimeType: 'image/png' },
} as const
const SAYS = { type: 'text', text: 'What is this?' } as const

async function served() {
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    const files = last?.role === 'user' ? (last.files ?? []) : []
    return `I see ${files.map(({ mediaType }) => mediaType).join() || 'nothing'}.`
  })
  const agents = [defineAgent({ name: 'eye', model, files: ['image/*'] })]
  const tl = await open({ store: 'memory:', agents })
  onTestFinished(() => tl.close())
  const http = routes(tl, { authenticate: () => ({ role: 'operator' }) })
  const post = async (path: string, body: object) => {
    const response = await http.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    return { status: response.status, text: await response.text() }
  }
  return { tl, post }
}

const run = (runId: string, messages: readonly object[]) => ({
  threadId: 't',
  runId,
  protocolVersion: '1.0.0',
  state: {},
  messages,
  tools: [],
  context: [],
  forwardedProps: {},
})

test('a run over HTTP takes a prompt in parts', async () => {
  const { tl, post } = await served()
  const begun = await post('/api/threads/t/runs', { agent: 'eye', input: [SAYS, PHOTO] })
  expect(begun.status).toBe(202)
  await expect
    .poll(async () => {
      const texts: string[] = []
      for await (const records of tl.log.read('t')) texts.push(JSON.stringify(records))
      return texts.join('')
    })
    .toContain('I see image/png.')
  const unknown = await post('/api/threads/t/runs', { agent: 'eye', input: [{ type: 'smell' }] })
  expect(unknown.status).toBe(400)
})

test('a picture over AG-UI reaches the model, and whoever joins later gets it as content', async () => {
  const { post } = await served()
  const message = { id: 'm1', role: 'user', content: [SAYS, PHOTO] }
  const answer = await post('/agui/eye', run('r1', [message]))
  expect(answer.text).toContain('I see image/png.')
  // Its client holds the same, so that its history is not sent again.
  const again = await post('/agui/eye', run('r1', [message]))
  expect(again.text).not.toContain('MESSAGES_SNAPSHOT')
  const joined = await post(
    '/agui/eye',
    run('r2', [message, { id: 'm2', role: 'user', content: 'And?' }]),
  )
  expect(joined.text).toContain('I see nothing.')
  const other = await post('/agui/eye', run('r3', []))
  const [, snapshot = '{}'] = /data: (\{"type":"MESSAGES_SNAPSHOT".*)/.exec(other.text) ?? []
  const { messages } = JSON.parse(snapshot) as { messages: readonly object[] }
  expect(messages[0]).toEqual({ id: 'm1', role: 'user', content: [SAYS, PHOTO] })
})
