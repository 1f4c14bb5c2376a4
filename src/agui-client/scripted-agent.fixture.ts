import type { Message } from '@ag-ui/core'
import type { AguiThreadOptions } from './index.ts'

type Sent = Readonly<Record<string, unknown>> & { readonly type: string }

export interface Asked {
  readonly url: string
  readonly input: Readonly<Record<string, unknown>> & { readonly runId: string }
  readonly headers: Headers
}

/**
 * One answer: events, each in a chunk of its own; all of them in one; a status; or events and then nothing
 * more while the connection stays open.
 */
export type Answer = (
  asked: Asked,
) =>
  | readonly Sent[]
  | number
  | { readonly open: readonly Sent[] }
  | { readonly atOnce: readonly Sent[] }

export const user = (content: string): Message => ({ id: `user-${content}`, role: 'user', content })

export const started = ({ input }: Asked): Sent => ({
  type: 'RUN_STARTED',
  threadId: 'thread-1',
  runId: input.runId,
})

export const finished = ({ input }: Asked, outcome?: unknown): Sent => ({
  type: 'RUN_FINISHED',
  threadId: 'thread-1',
  runId: input.runId,
  ...(outcome === undefined ? {} : { outcome }),
})

/** An agent that gives its next answer to each request, without ids on its frames. */
export function scriptedAgent(...answers: readonly Answer[]) {
  const asked: Asked[] = []
  const send = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const request = {
      url: String(url),
      // The client sends text.
      input: JSON.parse(init.body as string) as Asked['input'],
      headers: new Headers(init.headers),
    }
    asked.push(request)
    const answer = answers[asked.length - 1]?.(request) ?? 404
    if (typeof answer === 'number') return new Response(null, { status: answer })
    const events = 'open' in answer ? answer.open : 'atOnce' in answer ? answer.atOnce : answer
    const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    const chunks = 'atOnce' in answer ? [frames.join('')] : frames
    return new Response(bodyOf(chunks, 'open' in answer ? init.signal : undefined), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  const options: AguiThreadOptions = { url: '/agent', threadId: 'thread-1', fetch: send }
  return { options, asked }
}

/** With a signal the body stays open until it fires. */
function bodyOf(chunks: readonly string[], signal: AbortSignal | null | undefined) {
  const encoder = new TextEncoder()
  const left = [...chunks]
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) return controller.enqueue(encoder.encode(chunk))
      if (!signal) return controller.close()
      return new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          controller.error(signal.reason)
          resolve()
        })
      })
    },
  })
}
