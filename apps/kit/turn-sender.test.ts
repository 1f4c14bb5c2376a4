import type { LogRecord } from 'throughline/client'
import { expect, test, vi } from 'vitest'
import { EMPTY_VIEW, foldView } from './thread-view.ts'
import { QUEUED_MESSAGES_MAX, TurnSender } from './turn-sender.ts'
import type { UnsentMessage } from './unsent-messages.ts'
import { recordAt } from '../../test/memory-log.fixture.ts'

interface SentBody {
  readonly agent: string
  readonly input?: string
  readonly events?: readonly { readonly id: string; readonly type: string }[]
  readonly first?: boolean
}

let runs = 0
const accepted = (runId = `run ${++runs}`): Response => Response.json({ runId }, { status: 202 })
const lost = (): Response => {
  throw new TypeError('fetch failed')
}

/** A page over a server that answers each turn with the next of these. */
function page(answers: (() => Response)[] = [], kept: readonly UnsentMessage[] = []) {
  const sent: { url: string; key: string | null; body: SentBody }[] = []
  const [clock, network] = [{ now: 0 }, { isOnline: true }]
  let unsent = kept
  const turns = new TurnSender({
    thread: 't',
    role: 'customer',
    now: () => clock.now,
    isOnline: () => network.isOnline,
    fetch: (url, { headers, body }) => {
      const key = new Headers(headers).get('idempotency-key')
      sent.push({ url, key, body: JSON.parse(String(body)) as SentBody })
      return (answers.shift() ?? accepted)()
    },
    unsent: { kept, keep: (messages) => (unsent = messages) },
  })
  const state = () => turns.getSnapshot()
  /** The record of the event that was sent last. */
  const clicked = (seq: number, change: Partial<LogRecord> = {}): LogRecord => {
    const [event] = sent.at(-1)?.body.events ?? []
    return { ...record(seq, event?.type ?? '', {}), id: event?.id ?? '', ...change }
  }
  return {
    turns,
    sent,
    state,
    failed: () => state().failed,
    clock,
    network,
    unsent: () => unsent,
    clicked,
  }
}

const click = (type: string) => ({ directEvents: [{ type, data: {} }] })
const said = (text: string) => ({ userMessage: text })

const record = (seq: number, type: string, data: LogRecord['data']) =>
  recordAt(seq, { id: `${seq}`, ts: 0, type, data })

const message = (seq: number, text: string): readonly LogRecord[] => [
  record(seq, 'TEXT_MESSAGE_START', { messageId: `m${seq}`, role: 'user' }),
  record(seq + 1, 'TEXT_MESSAGE_CONTENT', { messageId: `m${seq}`, delta: text }),
  record(seq + 2, 'TEXT_MESSAGE_END', { messageId: `m${seq}` }),
]

const ofRun = (run: string, each: LogRecord, source: 'ui' | 'system' = 'system'): LogRecord => ({
  ...each,
  origin: { source, depth: 0, run },
})
const started = (seq: number, run: string) => ofRun(run, record(seq, 'RUN_STARTED', {}))
const finished = (seq: number, run: string) => ofRun(run, record(seq, 'RUN_FINISHED', {}))

const streamed = (...records: readonly LogRecord[]) => ({
  view: records.reduce(foldView, EMPTY_VIEW),
  seq: records.at(-1)?.seq ?? -1,
  epoch: 'e1',
})

test('a turn is a run of the side’s own assistant, each of its events under an id of the page', async () => {
  const turns = [click('withdraw'), said('hello'), {}, { isFirstTurn: true }] as const
  const sent = await Promise.all(
    turns.map(async (turn) => {
      const opened = page()
      await opened.turns.take(turn, 'chat')
      return opened.sent[0]
    }),
  )
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
  expect(sent.map((each) => each?.body)).toEqual([
    { agent: 'customer', events: [{ id, type: 'withdraw', data: {} }] },
    { agent: 'customer', input: 'hello' },
    { agent: 'customer', events: [] },
    { agent: 'customer', events: [], first: true },
  ])
  expect(new Set(sent.map((each) => each?.url))).toEqual(new Set(['/api/threads/t/runs']))
})

test('[surfaces 6] a press is recorded when the stream shows its event, not when it is answered', async () => {
  const { turns, state, clicked } = page()
  const recorded = vi.fn<() => void>()
  await turns.take(click('select_offer'), 'card', recorded)
  const underWay = { turn: click('select_offer'), place: 'card' }
  expect(state()).toMatchObject({ status: 'sending', underWay })
  turns.notice(streamed(record(0, 'select_offer', {})))
  expect(recorded).not.toHaveBeenCalled()
  turns.notice(streamed(started(0, 'r'), clicked(1)))
  expect(recorded).toHaveBeenCalledOnce()
  expect(state()).toMatchObject({ status: 'sending', underWay: undefined })
  turns.notice(streamed(started(0, 'r'), clicked(1), finished(2, 'r')))
  expect(recorded).toHaveBeenCalledOnce()
  expect(state().status).toBe('ready')
})

test('[surfaces 4] a message and a press that both failed are both kept, each with its own retry', async () => {
  const { turns, sent, failed, unsent, clicked } = page([lost, lost])
  await turns.take(said('hello'), 'chat')
  await turns.take(click('withdraw'), 'footer')
  const pressed = clicked(3)
  expect(failed()).toMatchObject([
    { turn: said('hello'), place: 'chat', status: 'failed' },
    { turn: click('withdraw'), place: 'footer' },
  ])
  expect(unsent()).toMatchObject([{ text: 'hello', after: -1 }])
  await turns.retry(failed()[0]?.key ?? '')
  expect(sent[2]).toEqual(sent[0])
  turns.notice(streamed(...message(0, 'hello')))
  expect(failed()).toMatchObject([{ turn: click('withdraw') }])
  await turns.retry(failed()[0]?.key ?? '')
  expect(sent[3]).toEqual(sent[1])
  expect(failed()).toMatchObject([{ status: 'trying_again' }])
  turns.notice(streamed(...message(0, 'hello'), pressed))
  expect(failed()).toEqual([])
  expect(unsent()).toEqual([])
})

test('[surfaces 5] pressing again is the retry, under the key and with the events that it had', async () => {
  const { turns, sent, clicked } = page([lost])
  await turns.take(click('select_offer'), 'card')
  const pressed = clicked(3)
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  await turns.take(click('select_offer'), 'card')
  expect(sent[2]).toEqual(sent[0])
  turns.notice(streamed(...message(0, 'hello'), pressed))
  expect(turns.getSnapshot()).toMatchObject({ status: 'ready', failed: [] })
})

test('[surfaces 5] a double click is one turn, however fast it is recorded', async () => {
  const { turns, sent, clock, clicked } = page()
  await turns.take(click('select_offer'), 'card')
  turns.notice(streamed(clicked(0)))
  clock.now += 499
  await turns.take(click('select_offer'), 'card')
  expect(sent).toHaveLength(1)
  clock.now += 1
  await turns.take(click('select_offer'), 'card')
  expect(sent).toHaveLength(2)
  expect(sent[1]?.body.events?.[0]?.id).not.toBe(sent[0]?.body.events?.[0]?.id)
})

test('another press at the same card takes the place of one that failed', async () => {
  const { turns, failed } = page([lost, lost, lost])
  await turns.take(said('hello'), 'chat')
  await turns.take(click('refuse_counter_offer'), 'card')
  await turns.take(click('accept_counter_offer'), 'card')
  expect(failed().map(({ turn }) => turn)).toEqual([said('hello'), click('accept_counter_offer')])
})

test('[surfaces 6] what the stream has shown is recorded, though its answer was lost', async () => {
  const { turns, failed, clicked, unsent } = page([lost, lost])
  const recorded = vi.fn<() => void>()
  await turns.take(click('select_offer'), 'card', recorded)
  const pressed = clicked(1)
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(record(0, 'select_offer', {})))
  expect(failed()).toHaveLength(2)
  turns.notice(streamed(record(0, 'select_offer', {}), pressed, ...message(2, 'hello')))
  expect(recorded).toHaveBeenCalledOnce()
  expect([failed(), unsent()]).toEqual([[], []])
})

test('[surfaces 4] what the stream shows before its answer is lost is not told as unsent', async () => {
  const { turns, failed, unsent } = page([lost])
  const taken = turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  await taken
  expect([failed(), unsent()]).toEqual([[], []])
})

test('a refused press is not called recorded, and its place and reasons are known', async () => {
  const { turns, state, clock, clicked } = page()
  const recorded = vi.fn<() => void>()
  await turns.take(click('withdraw'), 'footer', recorded)
  const events = [{ type: 'withdraw', reason: 'locked' }]
  turns.notice(streamed(clicked(0, { type: 'event_refused', data: events[0] ?? null })))
  expect(recorded).not.toHaveBeenCalled()
  expect(state()).toMatchObject({ status: 'ready', refused: { place: 'footer', events } })
  clock.now += 1_000
  await turns.take(said('hello'), 'chat')
  expect(state().refused).toBeUndefined()
})

test('nothing else is sent while the assistant is at work', async () => {
  const { turns, sent, state } = page()
  turns.notice(streamed(started(0, 'r')))
  expect(state()).toMatchObject({ status: 'sending', underWay: undefined })
  await turns.take(said('hello'), 'chat')
  expect(sent).toEqual([])
})

test('[surfaces 4] a message that is written while a reply runs waits, outlives a reload and is sent once the reply is over', async () => {
  const { turns, sent, state, unsent } = page()
  let view = foldView(EMPTY_VIEW, ofRun('run 0', record(0, 'RUN_STARTED', {})))
  turns.notice({ view, seq: 0, epoch: 'e' })
  await turns.take(said('Is this a loan?'), 'chat')
  await turns.take(said('Do I pay a fee?'), 'chat')
  expect(sent).toEqual([])
  expect(state().queued.map(({ text }) => text)).toEqual(['Is this a loan?', 'Do I pay a fee?'])
  expect(unsent().map(({ text }) => text)).toEqual(['Is this a loan?', 'Do I pay a fee?'])
  view = foldView(view, ofRun('run 0', record(1, 'RUN_FINISHED', {})))
  turns.notice({ view, seq: 1, epoch: 'e' })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ input: 'Is this a loan?' })
  expect(state()).toMatchObject({ status: 'sending', queued: [{ text: 'Do I pay a fee?' }] })
})

test('[surfaces 4] no more messages wait than the limit', async () => {
  const { turns, state } = page()
  const view = foldView(EMPTY_VIEW, ofRun('run 0', record(0, 'RUN_STARTED', {})))
  turns.notice({ view, seq: 0, epoch: 'e' })
  const texts = Array.from({ length: QUEUED_MESSAGES_MAX + 1 }, (_, index) => `question ${index}`)
  for (const text of texts) await turns.take(said(text), 'chat')
  expect(state().queued.map(({ text }) => text)).toEqual(texts.slice(0, -1))
})

test('[surfaces 4] a reload keeps unsent messages, under their keys, and shows the pending one', async () => {
  const first = page([lost])
  await first.turns.take(said('hello'), 'chat')
  void first.turns.take(said('and'), 'chat')
  const kept = first.unsent()
  expect(kept.map(({ text }) => text)).toEqual(['hello', 'and'])
  const { turns, sent, failed } = page([], kept)
  expect(failed()).toMatchObject([{ turn: said('hello') }, { turn: said('and') }])
  turns.notice(streamed(...message(0, 'and')))
  await turns.retry(failed()[0]?.key ?? '')
  expect(sent).toEqual([first.sent[0]])
  expect(failed()).toMatchObject([{ status: 'trying_again' }])
})

const outcome = (seq: number, run: string) => ofRun(run, record(seq, 'waterfall_recorded', {}))

test('the page asks the assistant once to report the outcome of an effect of the person’s turn', async () => {
  const { turns, sent, clicked, state } = page([accepted, lost])
  await turns.take(click('grant'), 'card')
  const pressed = ofRun('r', clicked(1), 'ui')
  const turn = [started(0, 'r'), pressed, outcome(2, 'r')]
  turns.notice(streamed(...turn))
  expect(sent).toHaveLength(1)
  turns.notice(streamed(...turn, finished(3, 'r')))
  await vi.waitFor(() => expect(state().failed).toMatchObject([{ turn: {} }]))
  turns.notice(streamed(...turn, finished(3, 'r'), record(4, 'noted', {})))
  expect(sent.map(({ body }) => body.events?.length)).toEqual([1, 0])
})

test('the page asks for the report of a turn without anything in it too, however fast that ends', async () => {
  const { turns, sent } = page([() => accepted('r')])
  await turns.take({}, 'card')
  turns.notice(streamed(started(0, 'r'), outcome(1, 'r'), finished(2, 'r')))
  expect(sent).toHaveLength(2)
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('a page asks for no report of an effect of a turn that it did not take', async () => {
  const { turns, sent } = page()
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  turns.notice(streamed(started(3, 'other'), outcome(4, 'other'), finished(5, 'other')))
  expect(sent).toHaveLength(1)
})

test('[B051] a turn that only a lost log held is dropped, and not called recorded', async () => {
  const { turns, state } = page()
  const recorded = vi.fn<() => void>()
  turns.notice(streamed())
  await turns.take(click('withdraw'), 'footer', recorded)
  expect(state().status).toBe('sending')
  turns.notice({ ...streamed(), epoch: 'e2' })
  expect(state()).toMatchObject({ status: 'ready', underWay: undefined, failed: [] })
  expect(recorded).not.toHaveBeenCalled()
})

test('[surfaces 4] a message written offline waits over a reload and is sent once when connected', async () => {
  const { turns, state, sent, network, unsent } = page()
  network.isOnline = false
  await turns.take(said('hello'), 'chat')
  turns.resume()
  expect([sent, state().status]).toEqual([[], 'ready'])
  expect(state().queued).toMatchObject([{ text: 'hello', until: 'online' }])
  const reloaded = page([], unsent())
  reloaded.network.isOnline = false
  reloaded.turns.notice(streamed(record(0, 'select_offer', {})))
  expect([reloaded.sent, reloaded.unsent()]).toMatchObject([[], [{ text: 'hello', waits: true }]])
  reloaded.network.isOnline = true
  reloaded.turns.resume()
  reloaded.turns.resume()
  expect(reloaded.sent.map(({ body }) => body.input)).toEqual(['hello'])
  reloaded.turns.notice(streamed(record(0, 'select_offer', {}), ...message(1, 'hello')))
  await expect.poll(() => reloaded.state()).toMatchObject({ queued: [], failed: [] })
  expect(reloaded.unsent()).toEqual([])
})
