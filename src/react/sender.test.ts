import { expect, test, vi } from 'vitest'
import { OUTBOX_MAX, Sender } from './index.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const answered = (): Response => new Response('{"head":1}')
const refused = (status: number): Response => new Response('{}', { status })
const lost = (): Response => {
  throw new TypeError('fetch failed')
}

/** A server that answers each request with the next of these, once released if it is held. */
function server(...answers: (() => Response)[]) {
  const keys: (string | null)[] = []
  const bodies: string[] = []
  let release: () => void = () => undefined
  let held = Promise.resolve()
  const clock = { now: 1_000_000 }
  const sender = new Sender('/send', {
    now: () => clock.now,
    headers: () => ({ 'throughline-role': 'customer' }),
    fetch: async (_url, init) => {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      bodies.push(String(init.body))
      const answer = answers.shift() ?? answered
      await held
      return answer()
    },
  })
  const hold = (): void => {
    held = new Promise((resolve) => {
      release = resolve
    })
  }
  return { sender, keys, bodies, clock, hold, release: () => release() }
}

test('[surfaces 4] pending and failed sends can be shown, with their text', async () => {
  const { sender, hold, release } = server(lost)
  hold()
  const seen: string[] = []
  const stop = sender.subscribe(() => seen.push(sender.getSnapshot().status))
  const sent = sender.send({ text: 'hello' })
  expect(sender.getSnapshot()).toMatchObject({ status: 'sending', body: { text: 'hello' } })
  release()
  expect(await sent).toMatchObject({ status: 'failed', error: { code: 'network' } })
  const failed = { status: 'failed', body: { text: 'hello' }, error: { code: 'network' } }
  expect(sender.getSnapshot()).toMatchObject(failed)
  expect(await sender.retry()).toEqual({ status: 'sent', answer: { head: 1 } })
  stop()
  await sender.send('unheard')
  expect(seen).toEqual(['sending', 'failed', 'sending', 'idle'])
})

test('[surfaces 5] a double click is one send, before the answer and after it', async () => {
  const { sender, keys, clock } = server()
  const [first, second] = [sender.send({ text: 'yes' }), sender.send({ text: 'yes' })]
  expect(await first).toEqual({ status: 'sent', answer: { head: 1 } })
  expect(await second).toEqual(await first)
  clock.now += 499
  expect(await sender.send({ text: 'yes' })).toEqual(await first)
  expect(keys).toHaveLength(1)
  expect(keys[0]).toMatch(UUID)
  clock.now += 1
  await sender.send({ text: 'yes' })
  expect(new Set(keys).size).toBe(2)
})

test('[surfaces 5] a retry has the same key, from every place that asks for it', async () => {
  const { sender, keys } = server(lost, () => refused(503), lost)
  await sender.send({ text: 'hello' })
  await sender.retry()
  await sender.send({ text: 'hello' })
  await Promise.all([sender.retry(), sender.retry()])
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(sender.getSnapshot()).toEqual({ status: 'idle', unsent: [] })
})

test('another text, or one that was refused for good, is another send', async () => {
  const { sender, keys } = server(lost, () => refused(422))
  await sender.send({ text: 'helo' })
  await sender.send({ text: 'hello' })
  expect(sender.getSnapshot()).toMatchObject({ status: 'failed', error: { final: true } })
  await sender.retry()
  expect(new Set(keys).size).toBe(3)
})

test('one thing at a time: another body meanwhile is ignored, and said to be', async () => {
  const { sender, keys, hold, release } = server()
  hold()
  const first = sender.send({ text: 'one' })
  expect(await sender.send({ text: 'two' })).toEqual({ status: 'ignored' })
  release()
  expect(await first).toMatchObject({ status: 'sent' })
  expect(await sender.retry()).toEqual({ status: 'ignored' })
  expect(keys).toHaveLength(1)
})

test('an answer that does not come in time can be retried', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const sender = new Sender('/send', {
    timeoutMs: 10,
    fetch: (_url, { signal }) => {
      signals.push(signal)
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    },
  })
  expect(await sender.send('hello')).toMatchObject({ error: { code: 'timeout' } })
  expect(signals[0]?.aborted).toBe(true)
  const retried = vi.fn<() => void>()
  sender.subscribe(retried)
  await sender.retry()
  expect(retried).toHaveBeenCalledTimes(2)
})

const unsentBodies = (sender: Sender) => sender.getSnapshot().unsent.map(({ body }) => body)

test('[surfaces 4] each of several that failed keeps its own retry, in order, under its own key', async () => {
  const { sender, keys, bodies } = server(lost, lost, lost)
  await sender.send({ text: 'hello' })
  await sender.send({ click: 'yes' })
  await sender.send({ click: 'no' })
  expect(unsentBodies(sender)).toEqual([{ text: 'hello' }, { click: 'yes' }, { click: 'no' }])
  const [first, second] = sender.getSnapshot().unsent
  expect(await sender.retry(first?.key)).toMatchObject({ status: 'sent' })
  expect(bodies[3]).toBe('{"text":"hello"}')
  expect(unsentBodies(sender)).toEqual([{ click: 'yes' }, { click: 'no' }])
  await sender.retry(second?.key)
  await sender.retry()
  expect(bodies.slice(4)).toEqual(['{"click":"yes"}', '{"click":"no"}'])
  expect(keys.slice(3)).toEqual(keys.slice(0, 3))
  expect(sender.getSnapshot()).toEqual({ status: 'idle', unsent: [] })
  expect(await sender.retry(first?.key)).toEqual({ status: 'ignored' })
})

test('what fails again stays in its place, and what succeeds meanwhile takes none away', async () => {
  const { sender } = server(lost, lost, () => refused(422), answered)
  await sender.send('one')
  await sender.send('two')
  await sender.send('one')
  await sender.send('three')
  expect(unsentBodies(sender)).toEqual(['one', 'two'])
  expect(sender.getSnapshot().status).toBe('idle')
})

test('a dropped send is not kept, and the same text again is a new send', async () => {
  const { sender, keys } = server(lost, lost)
  await sender.send('one')
  await sender.send('two')
  for (const { key } of sender.getSnapshot().unsent) sender.forget(key)
  expect(sender.getSnapshot()).toEqual({ status: 'idle', unsent: [] })
  expect(await sender.send('two')).toMatchObject({ status: 'sent' })
  expect(new Set(keys).size).toBe(3)
})

test('no more than a bound of what failed is kept, the latest', async () => {
  const sender = new Sender('/send', { fetch: lost })
  for (let count = 0; count <= OUTBOX_MAX; count++) await sender.send(count)
  expect(unsentBodies(sender)).toHaveLength(OUTBOX_MAX)
  expect(unsentBodies(sender)[0]).toBe(1)
})
