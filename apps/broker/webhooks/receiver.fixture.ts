import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { customValue } from 'throughline/client'
import { textOf } from 'throughline'
import type { LogRecord } from 'throughline'
import { onTestFinished } from 'vitest'
import { NOTED } from './outbox.ts'

export const SECRET = 'a secret of the receiver'

/** A received request: the body's members, and whether its signature was valid. */
export interface Received {
  readonly event: string
  readonly sessionId: string
  readonly retailerName: string
  readonly case: Readonly<Record<string, unknown>>
  readonly delivery: { readonly id: string; readonly attempt: number }
  readonly text: string
  readonly signed: boolean
}

type Answering = (response: ServerResponse) => void

export const takes: Answering = (response) => response.writeHead(204).end()
export const fails: Answering = (response) => response.writeHead(500).end('no')
export const refuses: Answering = (response) => response.writeHead(400).end()
export const hangs: Answering = () => {}
export const hangsUp: Answering = (response) => response.destroy()
export const pointsElsewhere: Answering = (response) =>
  response.writeHead(307, { location: '/elsewhere' }).end()
export const talksForEver: Answering = (response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
  response.on('close', () => clearInterval(timer))
}

/** A system of the broker's on loopback: one answer per request, the last one for ever. */
export async function receiver(port: number, ...answers: readonly Answering[]) {
  const received: Received[] = []
  const paths: string[] = []
  const server = createServer((request, response) => {
    void hear(request).then((heard) => {
      const answer = answers[Math.min(received.length, answers.length - 1)]
      received.push(heard)
      paths.push(request.url ?? '')
      answer?.(response)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  const { port: own } = server.address() as AddressInfo
  return { port: own, url: `http://127.0.0.1:${own}/hook`, received, paths, close }
}

async function hear(request: IncomingMessage): Promise<Received> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const header = String(request.headers['x-broker-signature'])
  return { ...JSON.parse(text), text, signed: isSigned(header, text) }
}

/** Checks a signature as docs/mock-or-real.md describes it. */
export function isSigned(header: string, body: string, nowMs = Date.now()): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  const expected = createHmac('sha256', SECRET).update(`${t}.${body}`).digest()
  const fresh = Math.abs(nowMs / 1_000 - Number(t)) < 300
  return fresh && v1 !== '' && timingSafeEqual(Buffer.from(v1, 'hex'), expected)
}

/** Returns the webhook records of a case: the name, the event, the delivery. */
export function notedIn(records: readonly Pick<LogRecord, 'type' | 'data'>[]) {
  return records.flatMap((record) =>
    Object.values(NOTED).flatMap((name) => {
      const value = customValue(record, name)
      if (value === undefined) return []
      return [{ name, event: textOf(value, 'event'), delivery: textOf(value, 'delivery') }]
    }),
  )
}
