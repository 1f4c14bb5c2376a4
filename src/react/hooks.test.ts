import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Fetch } from '../client/index.ts'
import { useAgentThread, useAguiThread, useSend, useServedAgents, useThread } from './index.ts'

test('a page rendered on a server shows the initial view and asks for nothing', () => {
  const fetch = vi.fn<Fetch>()
  const options = { url: '/api/threads/t1/events', role: 'customer', after: 4, fetch }
  const Page = () => {
    const fold = (count: number) => count + 1
    const thread = useThread({ ...options, initial: 5, fold, restore: () => 0 })
    const events = useThread({ ...options, records: true })
    const { state, seq } = useThread<number>(options)
    const { status } = useSend('/send', { fetch })
    const agents = useAgentThread({ thread: 't1', fetch })
    const served = useServedAgents({ fetch })
    const agui = useAguiThread({ url: '/agui/desk', joins: true })
    const live = [thread.view, thread.seq, thread.status, `${state}`, seq]
    const shown = [events.records.length, status]
    const work = [agents.phase, agents.tree.turns.length, agents.pending.length, served.status]
    const joined = [agui.run.status, agui.messages.length]
    return createElement('p', null, [...live, ...shown, ...work, ...joined].join(' '))
  }
  const html = '<p>5 4 connecting undefined 4 0 idle opening 0 0 asking idle 0</p>'
  expect(renderToString(createElement(Page))).toBe(html)
  expect(fetch).not.toHaveBeenCalled()
})

test('a thread of agents is found by its address, or by its id below where the routes are mounted', async () => {
  const asked: string[] = []
  const fetch: Fetch = (url, { headers }) => {
    asked.push(`${new Headers(headers).get('throughline-role')} ${url}`)
    return new Response('{"runId":"r"}')
  }
  const Page = ({ at }: { readonly at: Parameters<typeof useAgentThread>[0] }) => {
    const { ask } = useAgentThread({ ...at, role: 'responder', fetch })
    // A page asks on a click; this one is drawn once and never clicked.
    void ask('clerk', 'Go')
    return null
  }
  const places = [{ url: '/x/t1' }, { thread: 'a/b' }, { thread: 't1', base: '/tl/api' }]
  for (const at of places) renderToString(createElement(Page, { at }))
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  expect(asked).toEqual([
    'responder /x/t1/runs',
    'responder /api/threads/a%2Fb/runs',
    'responder /tl/api/threads/t1/runs',
  ])
})
