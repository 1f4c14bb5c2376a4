import type { SubscribeOptions } from './index.ts'

export const URL_OF_THREAD = '/api/threads/t1/events'

export const hello = (head: number, epoch = 'e1'): string =>
  `event: hello\ndata: ${JSON.stringify({ epoch, head })}\n\n`
export const stored = (seq: number, data: unknown = seq) => ({
  seq,
  id: `id-${seq}`,
  type: 'noted',
  data,
})
export const record = (seq: number, data?: unknown): string =>
  `id: ${seq}\ndata: ${JSON.stringify(stored(seq, data))}\n\n`
export const hidden = (seq: number): string => `id: ${seq}\n\n`
export const reset = (head: number, epoch: string): string =>
  `event: reset\ndata: ${JSON.stringify({ reason: 'epoch', epoch, head, state: { at: head } })}\n\n`

export const HTML = { headers: { 'content-type': 'text/html' } }

/** A body in these chunks; an open one says no more but does not end. */
export function stream(
  chunks: readonly (string | Uint8Array)[],
  end: 'cut' | 'open' = 'cut',
): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? utf8(chunk) : chunk)
      if (end === 'cut') controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function problem(status: number, headers: Record<string, string> = {}): Response {
  const body = { type: 'about:blank', title: 'No', status, detail: 'Not you', code: 'not_you' }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

/** Answers each connection with the next of these, the last of them again and again. */
export function served(...answers: (() => Response)[]) {
  const requests: { url: string; headers: Headers }[] = []
  const pausesMs: number[] = []
  const options: SubscribeOptions = {
    url: URL_OF_THREAD,
    fetch: (url, init) => {
      requests.push({ url, headers: new Headers(init.headers) })
      const answer = answers[Math.min(requests.length, answers.length) - 1]
      if (answer === undefined) throw new Error('nothing is served')
      return answer()
    },
    random: () => 1,
    sleep: async (delayMs) => {
      pausesMs.push(delayMs)
    },
  }
  return { options, requests, pausesMs }
}
