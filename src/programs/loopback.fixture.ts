import type { RunAgentInput } from '@ag-ui/core'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  readonly input: RunAgentInput
  readonly headers: IncomingHttpHeaders
  readonly path: string
}

type Event = Readonly<Record<string, unknown>>

/** What a loopback agent answers: events of one run, or whatever it writes itself. */
export type Answer = (asked: Asked, index: number) => readonly Event[] | Reply

export interface Reply {
  readonly write: (response: ServerResponse) => void | Promise<void>
}

/** An agent behind a real HTTP server that answers as a test says, however wrong that is. */
export async function loopback(answer: Answer) {
  const requests: Asked[] = []
  const closed: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const index = requests.length
      const input = JSON.parse(Buffer.concat(chunks).toString()) as RunAgentInput
      const asked = { input, headers: request.headers, path: request.url ?? '' }
      requests.push(asked)
      response.on('close', () => closed.push(index))
      const given = answer(asked, index)
      if ('write' in given) return void given.write(response)
      begin(response)
      response.end(framed(within(input, given)))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(() => void close())
  return { url: `http://127.0.0.1:${port}/run`, requests, closed, close, port }
}

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

export function framed(events: readonly Event[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

/** Puts the events of a run between its start and its end, where they have none. */
export function within(
  { threadId, runId }: Pick<RunAgentInput, 'threadId' | 'runId'>,
  events: readonly Event[],
): readonly Event[] {
  const run = { threadId, runId }
  const ends = events.some(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')
  return [
    { type: 'RUN_STARTED', ...run, protocolVersion: '1.0' },
    ...events.map((event) => (event['type'] === 'RUN_FINISHED' ? { ...run, ...event } : event)),
    ...(ends ? [] : [{ type: 'RUN_FINISHED', ...run }]),
  ]
}

export function text(messageId: string, delta: string, more: Event = {}): readonly Event[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...more },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
}

export function call(
  toolCallId: string,
  toolCallName: string,
  input: unknown = {},
): readonly Event[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) },
    { type: 'TOOL_CALL_END', toolCallId },
  ]
}

export function result(toolCallId: string, content: string): Event {
  return { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-result`, toolCallId, content }
}
