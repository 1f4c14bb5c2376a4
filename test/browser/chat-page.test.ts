import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundled } from '../../src/client/bundled-bytes.fixture.ts'
import { paid, serveAgui } from '../../src/server/agui-server.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { TABLET, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'

/** The AI SDK's chat below its hook. The fragment of the address names the agent and the thread. */
const PAGE = `
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses as isAnswered,
} from 'ai'

const [agent, id] = location.hash.slice(1).split('/')
const api = '/chat/' + agent
const shown = document.querySelector('main')
const show = (state) => {
  shown.textContent = state.status + ': ' + state.messages.flatMap(({ parts }) => parts)
    .map(({ type, text, state: how }) => text ?? (type.startsWith('tool-') ? how : ''))
    .filter(Boolean).join(' | ')
}
class State {
  #status = 'ready'
  #messages = []
  get status() { return this.#status }
  set status(status) { this.#status = status; show(this) }
  get messages() { return this.#messages }
  set messages(messages) { this.#messages = messages; show(this) }
  pushMessage(message) { this.messages = [...this.messages, message] }
  popMessage() { this.messages = this.messages.slice(0, -1) }
  replaceMessage(at, message) { this.messages = this.messages.with(at, structuredClone(message)) }
  snapshot(value) { return structuredClone(value) }
}
class Chat extends AbstractChat {}
const state = new State()
const { messages } = await (await fetch(api + '/' + id)).json()
state.messages = messages
const chat = new Chat({
  id, state, transport: new DefaultChatTransport({ api }), sendAutomaticallyWhen: isAnswered,
})
globalThis.say = (text) => void chat.sendMessage({ text })
globalThis.approve = () => {
  const { approval } = state.messages.at(-1).parts.find(({ approval }) => approval)
  void chat.addToolApprovalResponse({ id: approval.id, approved: true })
}
void chat.resumeStream()
`

/** A server of the agents, with the page. */
async function serveChat() {
  const folder = newFolder()
  const script = '<script type="module" src="/assets/page.js"></script>'
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/page.js'), await bundled(PAGE))
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><title>Chat</title><main></main>${script}`,
  )
  return serveAgui({ pages: { folder, routes: { '/': 'index.html' } } })
}

async function openTab(url: string, thread: string) {
  const { page, faults } = await openPage(await sharedChromium(), TABLET)
  await page.goto(`${url}#${thread}`)
  const shows = (text: string) => page.getByText(text, { exact: true }).waitFor()
  const does = (name: 'say' | 'approve', text?: string) =>
    page.evaluate(([called, given]) => (globalThis as unknown as Page)[called](given), [
      name,
      text,
    ] as const)
  return { page, faults, shows, does }
}

type Page = Readonly<Record<'say' | 'approve', (text?: string) => void>>

test.skipIf(noChromium)(
  'the AI SDK’s chat in a browser: a reload and a second tab in the middle of an answer show all of it',
  async () => {
    const { url, gate } = await serveChat()
    const first = await openTab(url, `teller/${randomUUID()}`)
    await first.shows('ready:')
    await first.does('say', 'Tell me')
    const half = 'streaming: Tell me | Once upon a time, é… | input-available'
    await first.shows(half)
    const second = await openTab(url, first.page.url().split('#')[1] ?? '')
    await first.page.reload()
    const tabs = [first, second]
    for (const tab of tabs) await tab.shows(half)
    gate.open()
    const whole = 'ready: Tell me | Once upon a time, é… | output-available | The end.'
    for (const tab of tabs) await tab.shows(whole)
    await second.page.reload()
    await second.shows(whole)
    expect(tabs.flatMap(({ faults }) => faults)).toEqual([])
  },
)

test.skipIf(noChromium)(
  'the AI SDK’s chat in a browser: an approval after a reload and in a second tab is given once',
  async () => {
    const { url } = await serveChat()
    paid.length = 0
    const first = await openTab(url, `clerk/${randomUUID()}`)
    await first.shows('ready:')
    await first.does('say', 'please pay')
    const asked = 'ready: please pay | One moment. | approval-requested'
    await first.shows(asked)
    await first.page.reload()
    const second = await openTab(url, first.page.url().split('#')[1] ?? '')
    const tabs = [first, second]
    for (const tab of tabs) await tab.shows(asked)
    for (const tab of tabs) await tab.does('approve')
    const done = 'ready: please pay | One moment. | output-available | I have it: Paid 5'
    for (const tab of tabs) await tab.shows(done)
    expect(paid).toEqual([5])
    expect(tabs.flatMap(({ faults }) => faults)).toEqual([])
  },
)
