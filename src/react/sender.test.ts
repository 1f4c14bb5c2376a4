import { expect, test, vi } from 'vitest'
import { Sender } from './index.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const answered = (): Response => new Response('{"head":1}')
const refused = (status: number): Response => new Response('{}', { status })
const lost = (): Response => {
  throw new TypeError('fetch failed')
}

/** A server that answers each request with the next of these, once released if it is held. */
function server(...answers: (() => Response)[]) {
  const keys: (string | null)[] = []
  let release: () => void = () => undefined
  let held = Promise.resolve()
  const clock = { now: 1_000_000 }
  const sender = new Sender('/send', {
    now: () => clock.now,
    headers: () => ({ 'throughline-role': 'customer' }),
    fetch: async (_url, init) => {
      keys.push(new Headers(init.headers).get('idempotency-key'))
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
  return { sender, keys, clock, hold, release: () => release() }
}

test('[surfaces 4] what is under way and what failed can be shown, text kept', async () => {
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

test('[surfaces 5] a retry goes under the same key, whichever way it is asked for', async () => {
  const { sender, keys } = server(lost, () => refused(503), lost)
  await sender.send({ text: 'hello' })
  await sender.retry()
  await sender.send({ text: 'hello' })
  await Promise.all([sender.retry(), sender.retry()])
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(sender.getSnapshot()).toEqual({ status: 'idle' })
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
