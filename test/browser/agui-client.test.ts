import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { recordsOf } from '../memory-log.fixture.ts'
import { serveAgui } from '../../src/server/agui-server.fixture.ts'
import { serveBundled } from './bundled-page.fixture.ts'
import { TABLET, sharedChromium, noChromium, openPage } from './chromium.fixture.ts'

/** A page over one thread of the clerk, whose id is the fragment of its address. */
const PAGE = `
import { StrictMode, createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { useAguiThread } from './src/react/index.ts'
import { aguiFetch } from './src/agui-client/index.ts'

const fetch = aguiFetch({ random: () => 0, attaches: true })
const context = [{ description: 'the page', value: 'Žluťoučký kůň 🐎 '.repeat(2000) + 'the end' }]

function Page() {
  const threadId = location.hash.slice(1)
  const { messages, run, ask } = useAguiThread({ url: '/agui/clerk', threadId, joins: true, fetch, context })
  const send = () => ask({ messages: [{ id: 'asked', role: 'user', content: 'where am I?' }] })
  return h('main', null,
    h('output', null, run.status),
    h('button', { onClick: send }, 'Ask'),
    messages.map(({ id, role, content }) => h('p', { key: id, className: role }, content)))
}
createRoot(document.querySelector('div')).render(h(StrictMode, null, h(Page)))
`

/** Serves the page, and the agents below its own address; cuts the first answers after so many bytes. */
const servePage = (agents: string, cuts: number[]): Promise<string> =>
  serveBundled(PAGE, (asked, answer) => pass(agents, { asked, answer }, cuts))

interface Exchange {
  readonly asked: IncomingMessage
  readonly answer: ServerResponse
}

function pass(agents: string, { asked, answer }: Exchange, cuts: number[]): void {
  // To the agents it is a program's request, not one of a page elsewhere.
  const headers = { ...asked.headers }
  delete headers.origin
  delete headers.host
  const onward = request(new URL(asked.url ?? '', agents), { method: 'POST', headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 500, reply.headers)
    let left = (asked.url === '/agui/clerk' && cuts.shift()) || Number.POSITIVE_INFINITY
    reply.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, left)
      left -= part.length
      answer.write(part, () => left <= 0 && answer.destroy())
      if (left <= 0) reply.destroy()
    })
    reply.on('end', () => answer.end())
    reply.on('error', () => undefined)
  })
  onward.on('error', () => answer.destroy())
  asked.pipe(onward)
}

test.skipIf(noChromium)(
  '[E1] in a browser, useAguiThread reads a run whole over connections that are cut, and another page joins it',
  async () => {
    const { url, log } = await serveAgui()
    const cuts = [6_000, 21_111, 17_777]
    const site = await servePage(url, cuts)
    const thread = randomUUID()
    const { page, faults } = await openPage(await sharedChromium(), TABLET)
    await page.goto(`${site}#${thread}`)
    const ended = page.getByRole('status').getByText('finished')
    await ended.waitFor()
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.locator('p.assistant').waitFor()
    await ended.waitFor()
    const reply = (await page.locator('p.assistant').textContent()) ?? ''
    expect(reply.endsWith(`${'Žluťoučký kůň 🐎 '.repeat(2_000)}the end`)).toBe(true)
    expect(cuts).toEqual([])
    const begun = (await recordsOf(log, thread)).filter(({ type }) => type === 'RUN_STARTED')
    expect(begun).toHaveLength(1)

    const { page: other, faults: others } = await openPage(await sharedChromium(), TABLET)
    await other.goto(`${site}#${thread}`)
    await other.getByRole('status').getByText('finished').waitFor()
    expect(await other.locator('p').allTextContents()).toEqual(['where am I?', reply])
    expect([...faults, ...others]).toEqual([])
  },
)
