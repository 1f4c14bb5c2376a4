import { HttpAgent } from '@ag-ui/client'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { emptyFolder, startServer } from '../server-process.fixture.ts'

interface Frame {
  readonly id: string
  readonly event: { readonly type: string; readonly delta?: string }
}

function framesIn(text: string): readonly Frame[] {
  return text.split('\n\n').flatMap((frame) => {
    const [, id = '', data] = /^id: (.*)\ndata: (.*)$/.exec(frame) ?? []
    return data === undefined ? [] : [{ id, event: JSON.parse(data) as Frame['event'] }]
  })
}

function ask(url: string, body: object, lastId?: string): Promise<Response> {
  return fetch(`${url}/agui/desk`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    body: JSON.stringify(body),
  })
}

/** Reads whole frames until some text has come. */
async function readUntilText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes('TEXT_MESSAGE_CONTENT')) break
  }
  return text.slice(0, text.lastIndexOf('\n\n') + 2)
}

test('[D12] a run whose server is killed goes on after the last frame, ends as failed, and the thread takes the next message', async () => {
  const env = { DATA_DIR: await emptyFolder() }
  const first = await startServer(env)
  const at = { threadId: randomUUID(), runId: randomUUID(), protocolVersion: '1.0' }
  const messages = [{ id: randomUUID(), role: 'user', content: 'Where is order A-1042?' }]
  const body = { ...at, messages }
  const before = framesIn(await readUntilText(await ask(first.url, body)))
  await first.end('SIGKILL')

  const second = await startServer(env)
  const lastId = before.at(-1)?.id ?? ''
  const after = framesIn(await (await ask(second.url, body, lastId)).text())
  const whole = framesIn(await (await ask(second.url, body)).text())
  expect([...before, ...after]).toEqual(whole)
  expect(whole.at(-1)?.event).toMatchObject({ type: 'RUN_ERROR', code: 'interrupted' })

  const agent = new HttpAgent({ url: `${second.url}/agui/desk/connect`, threadId: at.threadId })
  await agent.runAgent()
  expect(agent.messages[0]).toMatchObject({ content: 'Where is order A-1042?' })
  agent.url = `${second.url}/agui/desk`
  agent.addMessage({ id: randomUUID(), role: 'user', content: 'Are you there?' })
  await agent.runAgent()
  expect(agent.messages.at(-1)?.role).toBe('assistant')
  await second.end('SIGTERM')
})
