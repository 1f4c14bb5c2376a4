import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { recordsOf } from '../../../test/memory-log.fixture.ts'
import { paid, serveAgui } from '../agui-server.fixture.ts'
import { Page, approve, historyOf, partsOf, textOf } from '../chat-page.fixture.ts'

test('a page of the AI SDK asks an agent and gets its reply; the history says the same', async () => {
  const { url } = await serveAgui()
  const page = new Page(url)
  expect(textOf(await page.say('hello'))).toBe('Heard: hello')
  expect(textOf(await page.say('again'))).toBe('Heard: again')
  const { messages, state } = await historyOf(url, page.id)
  expect(messages.map(({ id, role }) => [id, role])).toEqual(
    page.messages.map(({ id, role }) => [id, role]),
  )
  expect(messages.map(textOf)).toEqual(['hello', 'Heard: hello', 'again', 'Heard: again'])
  expect(state).toEqual({ notes: [] })
  expect(partsOf(page.messages[1], 'data-throughline-state')).toMatchObject([
    { data: { notes: [] } },
  ])
})

test('a sub-agent’s words are a preliminary output of the call, and its answer the last one', async () => {
  const { url } = await serveAgui()
  const page = new Page(url)
  const reply = await page.say('ask the archive')
  expect(textOf(reply)).toBe('I have it: Found: case 7')
  expect(partsOf(reply, 'tool-call_archive')).toMatchObject([
    { state: 'output-available', output: 'Found: case 7', input: { message: 'case 7' } },
  ])
})

test('an approval is asked for, and given in two tabs it pays once; a third tab learns what was decided', async () => {
  const { url } = await serveAgui()
  paid.length = 0
  const page = new Page(url)
  const asked = await page.say('please pay')
  expect(partsOf(asked, 'tool-pay')).toMatchObject([{ state: 'approval-requested' }])
  const other = new Page(url, { id: page.id })
  other.messages = (await historyOf(url, page.id)).messages
  expect(partsOf(other.messages.at(-1), 'tool-pay')).toMatchObject([
    { state: 'approval-requested' },
  ])
  const stale = structuredClone(other.messages)
  const done = await Promise.all([approve(page), approve(other)])
  for (const reply of done) {
    expect(reply.id).toBe(asked.id)
    expect(textOf(reply)).toBe('One moment.I have it: Paid 5')
    expect(partsOf(reply, 'tool-pay')).toMatchObject([
      { state: 'output-available', output: 'Paid 5' },
    ])
  }
  expect(paid).toEqual([5])
  const late = new Page(url, { id: page.id })
  late.messages = stale
  const told = await approve(late, false)
  expect(partsOf(told, 'tool-pay')).toMatchObject([
    { approval: { approved: true }, output: 'Paid 5' },
  ])
  const { messages } = await historyOf(url, page.id)
  expect(messages).toHaveLength(2)
  expect(textOf(messages[1])).toBe('One moment.I have it: Paid 5')
})

test('a page that is loaded again in the middle of a reply gets all of it, in two tabs', async () => {
  const { url, gate } = await serveAgui()
  const page = new Page(url, { agent: 'teller' })
  expect(await page.resume()).toBeUndefined()
  const first = page.say('tell')
  while (!(await historyOf(url, page.id, 'teller')).messages.length) await pause(5)
  const tabs = [
    new Page(url, { agent: 'teller', id: page.id }),
    new Page(url, { agent: 'teller', id: page.id }),
  ]
  const { messages } = await historyOf(url, page.id, 'teller')
  expect(messages.map(({ role }) => role)).toEqual(['user'])
  const joined = tabs.map((tab) => tab.resume())
  await expect.poll(() => tabs.every(({ messages: shown }) => shown.length === 1)).toBe(true)
  gate.open()
  const replies = await Promise.all([first, ...joined])
  for (const reply of replies) expect(reply && textOf(reply)).toBe('Once upon a time, é…The end.')
  expect(new Set(replies.map((reply) => reply?.id)).size).toBe(1)
  expect(await page.resume()).toBeUndefined()
})

test('the same message again attaches, and regenerating with a key answers once', async () => {
  const { url, log } = await serveAgui()
  const page = new Page(url)
  await page.say('hello')
  page.messages = page.messages.slice(0, 1)
  const again = await page.send()
  expect(textOf(again)).toBe('Heard: hello')
  const headers = { 'idempotency-key': 'one' }
  page.messages = page.messages.slice(0, 1)
  const twice = await Promise.all(
    [1, 2].map(() => page.send({ trigger: 'regenerate-message', headers })),
  )
  expect(twice.map(({ id }) => id)).toEqual([twice[0]?.id, twice[0]?.id])
  expect(twice[0]?.id).not.toBe(again.id)
  const started = (await recordsOf(log, page.id)).filter(({ type }) => type === 'RUN_STARTED')
  expect(started).toHaveLength(2)
})

test('a page that resends an edited message is refused, and the thread keeps what it holds', async () => {
  const { url } = await serveAgui()
  const page = new Page(url)
  await page.say('hello')
  const edited = page.messages.slice(0, 1)
  page.messages = edited.map((mine) => ({ ...mine, parts: [{ type: 'text', text: 'goodbye' }] }))
  await expect(page.send()).rejects.toThrow('invalid_request')
  const { messages } = await historyOf(url, page.id)
  expect(messages.map(textOf)).toEqual(['hello', 'Heard: hello'])
})

test('a message under the id of one with another file, or one said to another agent, is refused or asked', async () => {
  const { url, gate } = await serveAgui()
  const page = new Page(url)
  await page.say('hello')
  const [mine] = page.messages
  const file = { type: 'file', mediaType: 'image/png', url: 'https://any.example/a.png' } as const
  page.messages = [{ ...mine, parts: [...(mine?.parts ?? []), file] }] as typeof page.messages
  await expect(page.send()).rejects.toThrow('another message under this id')
  const teller = new Page(url, { agent: 'teller', id: page.id })
  teller.messages = [mine] as typeof page.messages
  const opening = setInterval(gate.open, 5)
  expect(textOf(await teller.send())).toContain('Once upon a time')
  clearInterval(opening)
})

test('a tool of the page runs there, once for two tabs, and a question is answered by `resume`', async () => {
  const { url } = await serveAgui()
  const page = new Page(url)
  const called = await page.say('show me')
  expect(partsOf(called, 'tool-show')).toMatchObject([
    { state: 'input-available', input: { what: 'a map' } },
  ])
  const shown = (tab: Page, output: string) => {
    const last = structuredClone(called)
    for (const part of partsOf(last, 'tool-show'))
      Object.assign(part, { state: 'output-available', output })
    tab.messages = [...page.messages.slice(0, 1), last]
    return tab.send()
  }
  const tabs = [page, new Page(url, { id: page.id })]
  const replies = await Promise.all(tabs.map((tab) => shown(tab, 'shown')))
  expect(replies.map(textOf)).toEqual(['I have it: shown', 'I have it: shown'])
  const stale = new Page(url, { id: page.id })
  const told = await shown(stale, 'something else')
  expect(partsOf(told, 'tool-show')).toMatchObject([{ output: 'shown' }])

  const asked = await page.say('order it')
  const [wait] = partsOf(asked, 'data-throughline-wait').map(
    ({ data }) => data as Record<string, unknown>,
  )
  expect(wait).toMatchObject({ requestKeys: { to: 'Who gets it?' }, status: 'open' })
  const resume = [
    { interruptId: wait?.['interruptId'], status: 'resolved', payload: { to: 'Ann' } },
  ]
  const answered = await page.send({ body: { resume } })
  expect(answered.id).toBe(asked.id)
  expect(textOf(answered)).toBe('I have it: Sent to Ann')
  expect(partsOf(answered, 'data-throughline-wait')).toMatchObject([
    { data: { status: 'answered' } },
  ])
  const { messages } = await historyOf(url, page.id)
  expect(messages.map(textOf)).toEqual([
    'show me',
    'I have it: shown',
    'order it',
    'I have it: Sent to Ann',
  ])
})

test('a sub-agent asks for an approval: its call shows in the reply, and a page answers it by itself', async () => {
  const { url } = await serveAgui()
  const page = new Page(url)
  const asked = await page.say('open the vault')
  expect(partsOf(asked, 'tool-call_archive')).toMatchObject([
    { state: 'output-available', preliminary: true, output: { text: 'Let me see.' } },
  ])
  expect(partsOf(asked, 'tool-unlock')).toMatchObject([{ state: 'approval-requested' }])
  const done = await approve(page)
  expect(partsOf(done, 'tool-unlock')).toMatchObject([{ output: 'unlocked' }])
  expect(textOf(done)).toBe('I have it: Found: unlocked')
  const { messages } = await historyOf(url, page.id)
  expect(partsOf(messages[1], 'tool-unlock')).toMatchObject([{ output: 'unlocked' }])
})

test('a message while a question is open shows that question again, and runs nothing', async () => {
  const { url, log } = await serveAgui()
  const page = new Page(url)
  const asked = await page.say('please pay')
  const again = await page.say('hello?')
  expect(again).toMatchObject({ id: asked.id, parts: asked.parts })
  const started = (await recordsOf(log, page.id)).filter(({ type }) => type === 'RUN_STARTED')
  expect(started).toHaveLength(1)
})

test('events of the domain come as data, and the state changes with them', async () => {
  const { url } = await serveAgui()
  const page = new Page(url)
  const reply = await page.say('remember milk')
  expect(partsOf(reply, 'data-throughline-state')).toMatchObject([
    { data: { notes: ['remember milk'] } },
  ])
  const response = await fetch(`${url}/chat/clerk`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: page.id, messages: page.messages.slice(0, 1) }),
  })
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  const text = await response.text()
  expect(text).toContain(
    'data: {"type":"data-noted","data":{"text":"remember milk"},"transient":true}',
  )
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('a stop cancels the turn, and every tab and the history say so', async () => {
  const { url } = await serveAgui()
  const page = new Page(url, { agent: 'teller' })
  const first = page.say('tell')
  while (!(await historyOf(url, page.id, 'teller')).messages.length) await pause(5)
  const stop = () => fetch(`${url}/chat/teller/${page.id}/stop`, { method: 'POST' })
  expect(await (await stop()).json()).toEqual({ stopped: true })
  const reply = await first
  expect(partsOf(reply, 'data-throughline-end')).toMatchObject([{ data: { reason: 'cancelled' } }])
  expect(await (await stop()).json()).toEqual({ stopped: false })
  const { messages } = await historyOf(url, page.id, 'teller')
  expect(partsOf(messages[1], 'data-throughline-end')).toMatchObject([
    { data: { reason: 'cancelled' } },
  ])
})

test('bad requests are problems with a code', async () => {
  const { url } = await serveAgui()
  const post = async (body: unknown, path = 'clerk') => {
    const response = await fetch(`${url}/chat/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return ((await response.json()) as { code: string }).code
  }
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] }]
  const id = randomUUID()
  expect(await post('{')).toBe('invalid_json')
  expect(await post({ id, messages: [] })).toBe('invalid_body')
  expect(await post({ id: 'a\u0000b', messages })).toBe('invalid_body')
  expect(await post({ id: 'x'.repeat(201), messages })).toBe('invalid_body')
  expect(await post({ id, messages: [{ ...messages[0], id: 'x'.repeat(513) }] })).toBe(
    'invalid_body',
  )
  expect(await post({ id, messages }, 'nobody')).toBe('unknown_agent')
  expect(await post(JSON.stringify({ id, messages, more: 'x'.repeat(8_388_608) }))).toBe(
    'body_too_large',
  )
  const resume = [{ interruptId: 'forged', status: 'resolved', payload: { approved: true } }]
  await new Page(url, { id }).say('hello')
  expect(await post({ id, messages: [{ id: 'a', role: 'assistant', parts: [] }], resume })).toBe(
    'not_waiting',
  )
  expect((await fetch(`${url}/chat/clerk/${randomUUID()}/stream`)).status).toBe(204)
  expect(await historyOf(url, randomUUID())).toEqual({ messages: [], state: null, head: -1 })
})
