/**
 * An AG-UI agent that knows nothing of Throughline, as you may have one, with the page that is in use.
 *
 * npm start --prefix examples/proxy/page
 */
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** As far as this agent reads it. */
interface Asked {
  readonly threadId: string
  readonly runId: string
  readonly state?: { readonly answers?: number }
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

const STORY =
  'This is a long answer, so that you can load the page again in the middle of it, open a second ' +
  'tab, or stop it. It comes word by word, and this agent forgets it at once. The end.'

const PAGE = `${import.meta.dirname}/page/dist`

/** Serves the agent under `/agui` and its page under `/`. */
export async function serveAgent({ port = 4000, pauseMs = 60 } = {}) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://agent').pathname
    if (request.method === 'POST' && path === '/agui') {
      json(request)
        .then((asked) => answer(asked as Asked, response, pauseMs))
        .catch(() => response.destroy())
      return
    }
    const file = `${PAGE}${path === '/' ? '/index.html' : path}`
    if (path.includes('..') || !existsSync(file)) return void response.writeHead(404).end()
    const type = file.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(200, { 'content-type': type })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const listened = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://127.0.0.1:${listened}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function answer(asked: Asked, response: ServerResponse, pauseMs: number): Promise<void> {
  const { threadId, runId, state = {} } = asked
  const send = (type: string, members: object) =>
    response.write(`data: ${JSON.stringify({ type, ...members })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const messageId = crypto.randomUUID()
  send('RUN_STARTED', { threadId, runId })
  send('TEXT_MESSAGE_START', { messageId, role: 'assistant' })
  for (const delta of STORY.split(/(?<= )/)) {
    if (response.destroyed) return
    send('TEXT_MESSAGE_CONTENT', { messageId, delta })
    await pause(pauseMs)
  }
  send('TEXT_MESSAGE_END', { messageId })
  send('STATE_SNAPSHOT', { snapshot: { answers: (state.answers ?? 0) + 1 } })
  send('RUN_FINISHED', { threadId, runId })
  response.end()
}
