import type { ThreadStoreOptions } from './index.ts'

export const hello = (head: number, epoch = 'e1'): string =>
  `event: hello\ndata: ${JSON.stringify({ epoch, head })}\n\n`
export const record = (seq: number): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq, type: 'said', data: `${seq}` })}\n\n`

/** A server of streams that say what the test pushes. */
export function pushed() {
  const encoder = new TextEncoder()
  const urls: string[] = []
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const options: ThreadStoreOptions = {
    url: '/events',
    random: () => 0,
    fetch: (url, { signal }) => {
      urls.push(url)
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller)
          signal?.addEventListener('abort', () => streams.splice(streams.indexOf(controller), 1))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  }
  const push = (text: string): void => {
    for (const stream of streams) stream.enqueue(encoder.encode(text))
  }
  const cut = (): void => {
    for (const stream of streams.splice(0)) stream.close()
  }
  return { options, urls, streams, push, cut }
}
