import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** The orders for the process of the readers; it answers each once. */
export type Order =
  /** Opens streams, as many as `count`, and answers when each has answered. */
  | { readonly kind: 'open'; readonly port: number; readonly path: string; readonly count: number }
  /** Answers when every stream that reads has brought so many events since it was opened. */
  | { readonly kind: 'await'; readonly events: number }
  | { readonly kind: 'pause' }
  /** Goes on reading, and answers as after `await`. */
  | { readonly kind: 'resume'; readonly events: number }
  | { readonly kind: 'close' }

export interface Seen {
  readonly events: number
  /** From when an event was made to when it was read, in nanoseconds, since the last answer. */
  readonly p50: number
  readonly p99: number
  /** From opening to the first event, in nanoseconds. */
  readonly first: number
}

/** Stands before the time at which an event was made: 16 digits of nanoseconds. */
const MARK = '"at":"'
const MARKED_CHARS = MARK.length + 16

interface Reader {
  readonly socket: Socket
  rest: string
  events: number
}

let readers: Reader[] = []
let latencies: number[] = []
let awaited = Number.POSITIVE_INFINITY
let behind = 0
let opened = 0
let first = 0

function read(reader: Reader, bytes: Buffer): void {
  const now = Number(process.hrtime.bigint())
  const text = reader.rest + bytes.toString('latin1')
  let from = 0
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, from)) {
    if (at + MARKED_CHARS > text.length) break
    from = at + MARKED_CHARS
    latencies.push(now - Number(text.slice(at + MARK.length, from)))
    if (++reader.events === awaited) behind--
  }
  reader.rest = text.slice(Math.max(from, text.length - MARKED_CHARS))
  if (first === 0 && reader.events > 0) first = now - opened
  if (behind === 0) answer()
}

function awaitAll(count: number): void {
  awaited = count
  behind = readers.filter(({ events }) => events < awaited).length
  if (behind === 0) answer()
}

function answer(): void {
  behind = -1
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  const events = readers.reduce((sum, reader) => sum + reader.events, 0)
  const seen: Seen = { events, p50: at(0.5), p99: at(0.99), first }
  latencies = []
  process.send?.(seen)
}

function open(port: number, path: string): Promise<Reader> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const reader = { socket, rest: '', events: 0 }
    socket.on('error', () => {})
    socket.once('data', () => resolve(reader))
    socket.on('data', (bytes) => read(reader, bytes))
    const accept = 'Accept: text/event-stream'
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${accept}\r\n\r\n`)
  })
}

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'open':
      ;[first, behind, opened] = [0, -1, Number(process.hrtime.bigint())]
      readers = []
      for (let left = order.count; left > 0; left -= 50) {
        const next = Array.from({ length: Math.min(50, left) }, () => open(order.port, order.path))
        readers.push(...(await Promise.all(next)))
      }
      return answer()
    case 'await':
      return awaitAll(order.events)
    case 'pause':
      for (const { socket } of readers) socket.pause()
      return answer()
    case 'resume':
      for (const { socket } of readers) socket.resume()
      return awaitAll(order.events)
    case 'close':
      for (const { socket } of readers) socket.destroy()
      readers = []
      answer()
  }
}

// Nothing but orders is ever sent.
process.on('message', (message) => void obey(message as Order))
process.on('disconnect', () => process.exit())
