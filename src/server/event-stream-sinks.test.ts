import { expect, onTestFinished, test, vi } from 'vitest'
import { recordsFace } from '../faces/index.ts'
import type { Face } from '../faces/index.ts'
import { ANSWERS, threadStreams } from './event-streams.fixture.ts'
import type { Ask, Asked, ServedStreams, StreamsOptions } from './event-streams.fixture.ts'
import { HEARTBEAT_INTERVAL_MS } from './streams/event-stream.ts'
import { RESPONSE_HELD_BYTES_MAX } from './streams/event-stream-response.ts'

/** The last of so many large records that no kernel takes them all off the server's hands. */
const LAST = 49

/** Every rule holds whether frames go past node's responses or into a fetch `Response`. */
for (const { name, serve } of ANSWERS) {
  const rule = (says: string, shown: (served: Served) => Promise<void>, options?: StreamsOptions) =>
    test(`${says}, over ${name}`, async () => {
      const streams = threadStreams(options)
      onTestFinished(() => streams.streams.close())
      const ask = await serve(streams)
      await shown({ ...streams, ask, open: (query, asked) => opened(ask(query, asked)) })
    })

  rule('a stream opens with hello and the pause before a retry', async ({ log, open }) => {
    await log.append('t', [{ type: 'n', data: 0 }])
    const { response, text } = await open('after=0')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const hello = JSON.stringify({ epoch: log.epoch, head: 0 })
    await expect.poll(text).toBe(`retry: 500\nevent: hello\ndata: ${hello}\n\n`)
  })

  rule('[E1] records come from the cursor on, stored ones first, then live', async (served) => {
    const { log, open } = served
    await log.append(
      't',
      [0, 1, 2].map((data) => ({ type: 'n', data })),
    )
    const { ids } = await open('after=0')
    await expect.poll(ids).toEqual([1, 2])
    await log.append('t', [{ type: 'n', data: 3 }])
    await expect.poll(ids).toEqual([1, 2, 3])
  })

  rule('each stream has a heartbeat in every interval', async ({ open }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const streams = await Promise.all([1, 2, 3].map(() => open('')))
    await expect.poll(() => streams.every(({ text }) => text().includes('hello'))).toBe(true)
    vi.advanceTimersByTime(HEARTBEAT_INTERVAL_MS)
    const beats = () => streams.map(({ text }) => text().endsWith('\n\n:\n\n'))
    await expect.poll(beats).toEqual([true, true, true])
  })

  rule(
    '[E4] a reader that takes nothing is dropped, holds little, and resumes from its cursor',
    async ({ log, ask, open, streams }) => {
      const idle = await ask('')
      for (let n = 0; n <= LAST; n++) {
        await log.append('t', [{ type: 'n', data: 'x'.repeat(300_000) }])
        await new Promise((resolve) => setImmediate(resolve))
      }
      await expect.poll(() => streams.size, { timeout: 10_000 }).toBe(0)
      const late = read(idle)
      await expect.poll(late.ended).toBe(true)
      const ids = [...late.ids()]
      expect(ids.length).toBeLessThan(LAST)
      // Under load the reader may be dropped again.
      while (ids.length <= LAST) {
        const resumed = await open(`after=${ids.length - 1}`)
        await expect.poll(() => resumed.ended() || resumed.ids().at(-1) === LAST).toBe(true)
        ids.push(...resumed.ids())
      }
      expect(ids).toEqual(Array.from({ length: LAST + 1 }, (_, n) => n))
    },
    { stallMaxMs: 500 },
  )

  rule('[E8] a stream ends when its access is revoked', async (served) => {
    const { log, open, revoked, streams } = served
    const { ended, text } = await open('')
    revoked.abort()
    await expect.poll(ended).toBe(true)
    await log.append('t', [{ type: 'n', data: 0 }])
    expect(text()).not.toContain('id: 0')
    expect(streams.size).toBe(0)
  })

  rule('[E3] [D006] a reader that goes away is forgotten', async ({ open, streams }) => {
    const going = new AbortController()
    await open('', { signal: going.signal })
    expect(streams.size).toBe(1)
    going.abort()
    await expect.poll(() => streams.size).toBe(0)
  })

  rule('a request for the head alone gets no frame', async ({ log, open, streams }) => {
    await log.append('t', [{ type: 'n', data: 0 }])
    const { response, text, ended } = await open('', { method: 'HEAD' })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await expect.poll(ended).toBe(true)
    expect([text(), streams.size]).toEqual(['', 0])
  })

  rule('closing ends every stream', async ({ open, streams }) => {
    const open2 = [await open(''), await open('')]
    streams.close()
    await expect.poll(() => open2.every(({ ended }) => ended())).toBe(true)
    expect(streams.size).toBe(0)
  })

  rule(
    'a face has its own opening, heartbeat and answer to a lost cursor',
    async ({ log, open }) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      await log.append('t', [{ type: 'n', data: 0 }])
      const { text, ids } = await open('after=9')
      await expect.poll(ids).toEqual([0])
      vi.advanceTimersByTime(HEARTBEAT_INTERVAL_MS)
      await expect.poll(text).toMatch(/^: here\n\nid: 0\n.*\n\ndata: {"beat":"t"}\n\n$/)
    },
    { faces: [replayingFace()] },
  )
}

test('[E4] a fetch Response holds no more than its bound and what one tick writes', async () => {
  const streams = threadStreams()
  const [, fetched] = ANSWERS
  const ask = await fetched?.serve(streams)
  const response = await ask?.('')
  const PAGE = 100_000
  for (let n = 0; n < 30; n++)
    await streams.log.append('t', [{ type: 'n', data: 'x'.repeat(PAGE) }])
  await new Promise((resolve) => setTimeout(resolve, 50))
  streams.streams.close()
  let held = 0
  const reader = response?.body?.getReader()
  for (;;) {
    const next = await reader?.read().catch(() => undefined)
    if (!next || next.done) break
    held += next.value.length
  }
  expect(held).toBeLessThan(RESPONSE_HELD_BYTES_MAX + 2 * PAGE)
})

/** A face that does not report a lost cursor and sends everything again. */
function replayingFace(): Face {
  return {
    ...recordsFace,
    name: 'replaying',
    opening: () => ': here\n\n',
    restart: async () => ({ after: -1, frames: '' }),
    heartbeat: (thread) => `data: ${JSON.stringify({ beat: thread })}\n\n`,
  }
}

interface Served extends ServedStreams {
  readonly ask: Ask
  readonly open: (query: string, asked?: Asked) => Promise<ReturnType<typeof read>>
}

async function opened(asked: Promise<Response>) {
  return read(await asked)
}

/** Reads an answer as fast as it comes. */
function read(response: Response) {
  const chunks: string[] = []
  const ids: number[] = []
  let line = ''
  let ended = false
  const decoder = new TextDecoder()
  const take = async (): Promise<void> => {
    for await (const bytes of response.body ?? []) {
      const chunk = decoder.decode(bytes, { stream: true })
      chunks.push(chunk)
      const lines = (line + chunk).split('\n')
      line = lines.pop() ?? ''
      for (const each of lines) if (each.startsWith('id: ')) ids.push(Number(each.slice(4)))
    }
  }
  const end = (): void => void (ended = true)
  // A stream that is cut off ends with an error.
  take().then(end, end)
  return { response, text: () => chunks.join(''), ids: () => ids, ended: () => ended }
}
