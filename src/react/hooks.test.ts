import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Fetch } from '../client/index.ts'
import {
  useAgentThread,
  useAguiThread,
  useSend,
  useServedAgents,
  useThread,
  useThreads,
  useWaits,
} from './index.ts'

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

/** A page without types may give anything. */
const given = (value: object) => value as never

test.each([
  ['useThread', () => useThread(given({ url: '/e', record: true })), '"record"', '"records"'],
  ['useSend', () => useSend('/s', given({ timeoutMS: 1 })), '"timeoutMS"', '"timeoutMs"'],
  ['useAgentThread', () => useAgentThread(given({ tread: 't' })), '"tread"', '"thread"'],
  ['useAguiThread', () => useAguiThread(given({ url: '/a', join: true })), '"join"', '"joins"'],
  ['useServedAgents', () => useServedAgents(given({ bas: '/api' })), '"bas"', '"base"'],
  ['useThreads', () => useThreads(given({ were: {} })), '"were"', '"where"'],
  ['useWaits', () => useWaits(given({ rol: 'clerk' })), '"rol"', '"role"'],
])(
  'an unknown option of %s is refused while the page renders',
  (...[hook, use, unknown, meant]) => {
    const Page = () => {
      use()
      return null
    }
    const message = `Cannot call ${hook}: it has an unknown ${unknown}: did you mean ${meant}?`
    expect(() => renderToString(createElement(Page))).toThrow(
      expect.objectContaining({ code: 'unknown_option', message }),
    )
  },
)
