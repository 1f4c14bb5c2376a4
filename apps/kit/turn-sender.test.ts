import type { LogRecord } from 'throughline/log'
import { expect, test, vi } from 'vitest'
import { EMPTY_VIEW, foldView } from './thread-view.ts'
import { TurnSender } from './turn-sender.ts'
import type { UnsentMessage } from './unsent-messages.ts'

const answered = (answer: object = {}): Response => new Response(JSON.stringify(answer))
const lost = (): Response => {
  throw new TypeError('fetch failed')
}
const modelFailed = (reason = 'provider'): Response =>
  new Response(JSON.stringify({ code: 'model_failed', reason }), {
    status: 502,
    headers: { 'content-type': 'application/problem+json' },
  })

/** A page over a server that answers each turn with the next of these. */
function page(answers: (() => Response)[], kept: readonly UnsentMessage[] = []) {
  const sent: { key: string | null; body: Record<string, unknown> }[] = []
  const clock = { now: 0 }
  let [seed, unsent] = [undefined as string | undefined, kept]
  const turns = new TurnSender({
    thread: 't',
    role: 'customer',
    now: () => clock.now,
    fetch: (_url, { headers, body }) => {
      const turn = JSON.parse(String(body), (name, value) =>
        name === 'sessionId' ? undefined : value,
      )
      sent.push({ key: new Headers(headers).get('idempotency-key'), body: turn })
      return (answers.shift() ?? answered)()
    },
    seed: { read: () => seed, write: (text) => (seed = text) },
    unsent: { kept, keep: (messages) => (unsent = messages) },
  })
  const failed = () => turns.getSnapshot().failed
  return { turns, sent, failed, clock, unsent: () => unsent }
}

const click = (type: string) => ({ directEvents: [{ type, data: {} }] })
const said = (text: string) => ({ userMessage: text })

const record = (seq: number, type: string, data: LogRecord['data']): LogRecord => ({
  seq,
  id: `${seq}`,
  thread: 't',
  ts: 0,
  type,
  data,
  origin: { source: 'ui', depth: 0 },
  v: 1,
  prev: '',
  hash: '',
})

const message = (seq: number, text: string): readonly LogRecord[] => [
  record(seq, 'TEXT_MESSAGE_START', { messageId: `m${seq}`, role: 'user' }),
  record(seq + 1, 'TEXT_MESSAGE_CONTENT', { messageId: `m${seq}`, delta: text }),
  record(seq + 2, 'TEXT_MESSAGE_END', { messageId: `m${seq}` }),
]

const streamed = (...records: readonly LogRecord[]) => ({
  view: records.reduce(foldView, EMPTY_VIEW),
  seq: records.at(-1)?.seq ?? -1,
})

test('[surfaces 4] a message and a press that both failed are both kept, each with its own retry', async () => {
  const { turns, sent, failed, unsent } = page([lost, lost])
  await turns.take(said('hello'), 'chat')
  await turns.take(click('withdraw'), 'footer')
  expect(failed()).toMatchObject([
    { turn: said('hello'), place: 'chat', status: 'failed', missing: 'confirmation' },
    { turn: click('withdraw'), place: 'footer' },
  ])
  expect(unsent()).toMatchObject([{ text: 'hello', after: -1 }])
  await turns.retry(failed()[0]?.key ?? '')
  expect(sent[2]).toEqual(sent[0])
  expect(failed()).toMatchObject([{ turn: click('withdraw') }])
  await turns.retry(failed()[0]?.key ?? '')
  expect(sent[3]).toEqual(sent[1])
  expect(failed()).toEqual([])
  expect(unsent()).toEqual([])
})

test('[B052] the seed of a turn that failed goes with the next one', async () => {
  const failedWithSeed = (): Response =>
    new Response(JSON.stringify({ code: 'model_failed', seed: 'with the consent' }), {
      status: 502,
      headers: { 'content-type': 'application/problem+json' },
    })
  const { turns, sent } = page([failedWithSeed])
  await turns.take(click('capture_consent'), 'card')
  await turns.take(said('hello'), 'chat')
  expect(sent.map(({ body }) => body['seed'])).toEqual([undefined, 'with the consent'])
})

test('[surfaces 5] pressing again is the retry, even when the seed has moved on', async () => {
  const { turns, sent, failed } = page([lost, () => answered({ seed: 's1' })])
  await turns.take(click('select_offer'), 'card')
  await turns.take(said('hello'), 'chat')
  await turns.take(click('select_offer'), 'card')
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[1]?.key, sent[0]?.key])
  expect(failed()).toEqual([])
})

test('[surfaces 5] a double click is one turn, however fast the answer', async () => {
  const { turns, sent, clock } = page([() => answered({ seed: 's1' })])
  await turns.take(click('select_offer'), 'card')
  clock.now += 499
  await turns.take(click('select_offer'), 'card')
  expect(sent).toHaveLength(1)
  clock.now += 1
  await turns.take(click('select_offer'), 'card')
  expect(sent).toHaveLength(2)
})

test('another press at the same card takes the place of one that failed', async () => {
  const { turns, failed } = page([lost, lost, lost])
  await turns.take(said('hello'), 'chat')
  await turns.take(click('refuse_counter_offer'), 'card')
  await turns.take(click('accept_counter_offer'), 'card')
  expect(failed().map(({ turn }) => turn)).toEqual([said('hello'), click('accept_counter_offer')])
})

test('[surfaces 6] what the stream has shown is recorded, though its answer was lost', async () => {
  const { turns, failed } = page([lost, lost, lost])
  const recorded = vi.fn<() => void>()
  turns.notice(streamed(record(0, 'select_offer', {})))
  await turns.take(click('select_offer'), 'card', recorded)
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(record(0, 'select_offer', {})))
  expect(failed()).toHaveLength(2)
  expect(recorded).not.toHaveBeenCalled()
  turns.notice(streamed(record(0, 'select_offer', {}), record(1, 'select_offer', {})))
  expect(failed()).toHaveLength(1)
  expect(recorded).toHaveBeenCalledOnce()
  turns.notice(streamed(record(0, 'select_offer', {}), ...message(1, 'hello')))
  expect(failed()).toEqual([])
})

test('what is done once recorded is done when the stream or the answer says so, not twice', async () => {
  const { turns } = page([answered])
  const recorded = vi.fn<() => void>()
  const taken = turns.take(click('select_offer'), 'card', recorded)
  expect(turns.getSnapshot().underWay).toMatchObject({ turn: click('select_offer') })
  turns.notice(streamed(record(0, 'select_offer', {})))
  expect(recorded).toHaveBeenCalledOnce()
  expect(turns.getSnapshot()).toMatchObject({ status: 'sending', underWay: undefined })
  await taken
  expect(recorded).toHaveBeenCalledOnce()
})

test('[surfaces 4] what the stream has shown is not told as unsent when its answer is lost after that', async () => {
  const { turns, failed, unsent } = page([lost])
  const taken = turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  await taken
  expect(failed()).toEqual([])
  expect(unsent()).toEqual([])
})

test('what was refused is not taken for recorded, and is said where it was pressed', async () => {
  const refused = { refused: [{ type: 'withdraw', reason: 'locked' }] }
  const { turns } = page([() => answered(refused)])
  const recorded = vi.fn<() => void>()
  await turns.take(click('withdraw'), 'footer', recorded)
  expect(recorded).not.toHaveBeenCalled()
  expect(turns.getSnapshot().answered).toMatchObject({ answer: refused, place: 'footer' })
})

test('a reply that is missing is asked for again, and the message is not sent twice', async () => {
  const { turns, sent, failed, unsent } = page([() => modelFailed(), () => modelFailed()])
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  expect(failed()).toMatchObject([{ missing: 'reply', place: 'chat' }])
  expect(unsent()).toEqual([])
  await turns.retry(failed()[0]?.key ?? '')
  expect(failed()).toMatchObject([{ missing: 'reply', turn: {} }])
  await turns.retry(failed()[0]?.key ?? '')
  expect(failed()).toEqual([])
  expect(sent.map(({ body }) => body)).toEqual([said('hello'), {}, {}])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
})

test('a reply that was declined is told as such until something else is said', async () => {
  const { turns, failed } = page([() => modelFailed('refused')])
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  expect(failed()).toMatchObject([{ missing: 'declined_reply', place: 'chat' }])
  await turns.take(said('please'), 'chat')
  expect(failed()).toEqual([])
})

test('[M9] a reply that the daily budget does not allow is told as such, and what was done is recorded', async () => {
  const limited = () => Response.json({ code: 'limit' }, { status: 429 })
  const { turns, failed, unsent } = page([limited])
  await turns.take(said('hello'), 'chat')
  turns.notice(streamed(...message(0, 'hello')))
  expect(failed()).toMatchObject([{ missing: 'limited_reply', place: 'chat' }])
  expect(unsent()).toEqual([])
})

test('[surfaces 4] a reload keeps what was not sent, under its key, and says what was under way', async () => {
  const first = page([lost])
  await first.turns.take(said('hello'), 'chat')
  void first.turns.take(said('and'), 'chat')
  const kept = first.unsent()
  expect(kept.map(({ text }) => text)).toEqual(['hello', 'and'])
  const { turns, sent, failed } = page([], kept)
  expect(failed()).toMatchObject([{ turn: said('hello') }, { turn: said('and') }])
  turns.notice(streamed(...message(0, 'and')))
  await turns.retry(failed()[0]?.key ?? '')
  expect(sent).toEqual([{ key: first.sent[0]?.key, body: said('hello') }])
  expect(failed()).toEqual([])
})

test('the server is followed when it asks for the next turn, up to a bound', async () => {
  const { turns, sent } = page(
    Array.from({ length: 9 }, (_, at) => () => answered({ continueTurn: true, seed: `${at}` })),
  )
  await turns.take({}, 'card')
  expect(sent).toHaveLength(4)
})
