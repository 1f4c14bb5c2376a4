/** Opens and reads thousands of streams over plain sockets, on orders over IPC. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** Each is answered once. */
export type Order =
  /** Adds readers; stalled ones read the beginning of their answer and nothing else. */
  | { readonly kind: 'open'; readonly count: number; readonly pace: 'reading' | 'stalled' }
  /** Answers when every reader has this record. */
  | { readonly kind: 'await'; readonly seq: number }
  /** Cuts everybody off, and answers when all are connected again from their cursors. */
  | { readonly kind: 'storm' }
  /** Lets the stalled ones read on, those that were dropped from their cursors. */
  | { readonly kind: 'resume' }

export interface Reading {
  readonly readers: number
  readonly records: number
  /** Records that did not follow on the one before them. */
  readonly misplaced: number
  /** From append to reading, since the last answer, in milliseconds. */
  readonly p50: number
  readonly p99: number
}

interface Reader {
  socket: Socket | undefined
  pace: 'reading' | 'stalled'
  seq: number
  rest: string
}

/** So that the queue of connections to be accepted is never full. */
const CONNECTING_MAX = 100
/** A frame's id and the time in its record, which may come in two pieces. */
const RECORD = /id: (\d+)\ndata: \{[^}]*?"at":"(\d{16})"/g
const RECORD_CHARS_MAX = 400

const [, , url = ''] = process.argv
const { host, hostname, port } = new URL(url)
const readers: Reader[] = []
let misplaced = 0
let records = 0
let latencies: number[] = []
let awaited = -1
let behind = 0
let caughtUp = Promise.withResolvers<void>()

function take(reader: Reader, bytes: Buffer): void {
  const now = Number(process.hrtime.bigint())
  const text = reader.rest + bytes.toString('latin1')
  let end = 0
  for (const { 0: whole, 1: seq, 2: at, index } of text.matchAll(RECORD)) {
    end = index + whole.length
    if (Number(seq) !== reader.seq + 1) misplaced++
    reader.seq = Number(seq)
    records++
    latencies.push((now - Number(at)) / 1e6)
    if (reader.seq === awaited && --behind === 0) caughtUp.resolve()
  }
  reader.rest = text.slice(Math.max(end, text.length - RECORD_CHARS_MAX))
}

/** Resolves once the server has answered. */
function open(reader: Reader): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname)
  reader.socket = socket
  reader.rest = ''
  socket.on('error', () => {})
  socket.once('data', () => {
    if (reader.pace === 'stalled') socket.pause()
    resolve()
  })
  socket.on('data', (bytes) => take(reader, bytes))
  socket.on('close', () => {
    if (reader.socket === socket && reader.pace === 'reading') void open(reader)
  })
  const path = `/api/threads/t/events?after=${reader.seq}`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`)
  return promise
}

async function openAll(those: readonly Reader[]): Promise<void> {
  for (let from = 0; from < those.length; from += CONNECTING_MAX) {
    await Promise.all(those.slice(from, from + CONNECTING_MAX).map(open))
  }
}

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'open': {
      const added = Array.from({ length: order.count }, () => newReader(order.pace))
      readers.push(...added)
      return openAll(added)
    }
    case 'await': {
      awaited = order.seq
      const reading = readers.filter(({ pace }) => pace === 'reading')
      behind = reading.filter(({ seq }) => seq < awaited).length
      caughtUp = Promise.withResolvers()
      return behind === 0 ? undefined : caughtUp.promise
    }
    case 'storm':
      for (const { socket } of readers) socket?.removeAllListeners('close').destroy()
      return openAll(readers)
    case 'resume':
      for (const reader of readers) {
        reader.pace = 'reading'
        reader.socket?.resume()
      }
  }
}

/** The record that began the thread has no time in it and is not read. */
function newReader(pace: Reader['pace']): Reader {
  return { socket: undefined, pace, seq: 0, rest: '' }
}

// Nothing but orders is ever sent.
process.on('message', (order) => void obey(order as Order).then(answer))
process.on('disconnect', () => process.exit())

function answer(): void {
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  const reading: Reading = {
    readers: readers.length,
    records,
    misplaced,
    p50: at(0.5),
    p99: at(0.99),
  }
  latencies = []
  process.send?.(reading)
}
