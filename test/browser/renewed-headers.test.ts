import { expect, test } from 'vitest'
import { serveBundled } from './bundled-page.fixture.ts'
import { TABLET, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'

/** A page that renews its token, follows a thread and sends. */
const PAGE = `
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useSend, useThread } from './src/react/index.ts'

function Page() {
  const [token, renew] = useState('first')
  const headers = () => ({ 'x-token': token })
  useThread({ url: '/events', headers, records: true })
  const { send } = useSend('/send', { headers })
  return h('main', null,
    h('output', null, token),
    h('button', { onClick: () => renew('second') }, 'Renew'),
    h('button', { onClick: () => send({}) }, 'Send'))
}
createRoot(document.querySelector('div')).render(h(Page))
`

/** Serves the page and notes the token of each request; streams are cut when told. */
async function servePage() {
  const tokens: string[] = []
  const cuts: (() => void)[] = []
  const url = await serveBundled(PAGE, (asked, answer) => {
    const [path] = (asked.url ?? '').split('?')
    tokens.push(`${path} ${String(asked.headers['x-token'])}`)
    if (path === '/send') return void answer.writeHead(200).end('{}')
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write('retry: 1\n\nevent: hello\ndata: {"epoch":"e1","head":-1}\n\n')
    cuts.push(() => answer.destroy())
  })
  return { url, tokens, cut: () => cuts.shift()?.() }
}

test.skipIf(noChromium)(
  'a renewed token goes out with the next request of a hook, and with its next connection',
  async () => {
    const { url, tokens, cut } = await servePage()
    const { page } = await openPage(await sharedChromium(), TABLET)
    await page.goto(url)
    await expect.poll(() => tokens).toEqual(['/events first'])
    await page.getByRole('button', { name: 'Renew' }).click()
    await page.getByText('second').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => tokens).toEqual(['/events first', '/send second'])
    cut()
    await expect.poll(() => tokens.at(-1)).toBe('/events second')
  },
)
