import { expect, test } from 'vitest'
import { serveBundled } from './bundled-page.fixture.ts'
import { TABLET, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'

/** A page with three hooks on one thread, of which one can be shown later and hidden again. */
const PAGE = `
import { createElement as h, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useAgentThread, useThread } from './src/react/index.ts'

const url = '/api/threads/t1/events'

function Late() {
  const { records } = useThread({ url, headers: () => ({ 'x-token': 'one' }), records: true })
  return h('output', null, 'late ' + records.length)
}
function Page() {
  const [isLate, setLate] = useState(false)
  const headers = () => ({ 'x-token': 'one' })
  const { view } = useThread({ url, headers, initial: 0, fold: (count) => count + 1, restore: () => 0 })
  const { seq } = useAgentThread({ thread: 't1', headers })
  return h('main', null,
    h('output', null, 'view ' + view + ' seq ' + seq),
    h('button', { onClick: () => setLate(!isLate) }, 'Late'),
    isLate && h(Late))
}
createRoot(document.querySelector('div')).render(h(StrictMode, null, h(Page)))
`

const record = (seq: number) =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq, type: 'said', data: 'a', origin: { source: 'system' } })}\n\n`

async function servePage() {
  const open = new Set<(text: string) => void>()
  const asked: string[] = []
  const url = await serveBundled(PAGE, (request, answer) => {
    asked.push(request.url ?? '')
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    const push = (text: string): void => void answer.write(text)
    open.add(push)
    answer.on('close', () => open.delete(push))
    push('event: hello\ndata: {"epoch":"e1","head":0}\n\n')
    push(record(0))
  })
  return { url, asked, open }
}

test.skipIf(noChromium)(
  'hooks on one thread of a page share one stream, one that comes later too',
  async () => {
    const { url, asked, open } = await servePage()
    const { page } = await openPage(await sharedChromium(), TABLET)
    await page.goto(url)
    await page.getByText('view 1 seq 0').waitFor()
    await page.getByRole('button', { name: 'Late' }).click()
    await page.getByText('late 1').waitFor()
    for (const push of open) push(record(1))
    await page.getByText('view 2 seq 1').waitFor()
    await page.getByText('late 2').waitFor()
    await page.getByRole('button', { name: 'Late' }).click()
    for (const push of open) push(record(2))
    await page.getByText('view 3 seq 2').waitFor()
    expect(asked).toEqual(['/api/threads/t1/events?after=-1'])
    expect(open.size).toBe(1)
  },
)
