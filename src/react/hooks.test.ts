import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Fetch } from '../client/index.ts'
import { useEvents, useSend, useThread } from './index.ts'

test('a page rendered on a server shows the initial view and asks for nothing', () => {
  const fetch = vi.fn<Fetch>()
  const options = { url: '/api/threads/t1/events', role: 'customer', after: 4, fetch }
  const Page = () => {
    const fold = (count: number) => count + 1
    const thread = useThread({ ...options, initial: 5, fold, restore: () => 0 })
    const events = useEvents(options)
    const { status } = useSend('/send', { fetch })
    const shown = [thread.view, thread.seq, thread.status, events.records.length, status]
    return createElement('p', null, shown.join(' '))
  }
  expect(renderToString(createElement(Page))).toBe('<p>5 4 connecting 0 idle</p>')
  expect(fetch).not.toHaveBeenCalled()
})
