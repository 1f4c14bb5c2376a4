import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Names in lower case; of a name that occurs twice, both values. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RawRequest {
  readonly method: string
  /** The request target as it is sent, encoded or not. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Silence after which an exchange is over: something on the server waits for ever. */
const SILENCE_MAX_MS = 5_000

/** Sends one request that ends its connection; undefined when nothing came back. */
export async function ask(port: number, request: RawRequest): Promise<RawAnswer | undefined> {
  const [answer] = await exchange(port, encode(port, request), 'stay')
  return answer
}

/** The bytes of a request, as they were asked for, whether HTTP allows them or not. */
export function encode(port: number, { method, target, headers = {}, body }: RawRequest): Buffer {
  const bytes = Buffer.from(body ?? '')
  const given = Object.keys(headers).map((name) => name.toLowerCase())
  const own: Record<string, string> = {
    host: `127.0.0.1:${port}`,
    connection: 'close',
    ...(body === undefined || given.includes('transfer-encoding')
      ? {}
      : { 'content-length': `${bytes.length}` }),
  }
  const lines = [
    ...Object.entries(own).filter(([name]) => !given.includes(name)),
    ...Object.entries(headers),
  ].map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    bytes,
  ])
}

/** Sends bytes, says that there are no more or waits, and gives every answer that comes back. */
export function exchange(
  port: number,
  bytes: Buffer,
  ending: 'stay' | 'leave',
): Promise<readonly RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const chunks: Buffer[] = []
    const finish = (): void => {
      socket.destroy()
      resolve(answersIn(Buffer.concat(chunks)))
    }
    socket.setTimeout(SILENCE_MAX_MS, () => {
      socket.destroy()
      reject(new Error(`Nothing came back to ${JSON.stringify(bytes.toString('latin1', 0, 300))}`))
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // A stream never ends by itself.
      if (/^content-type: text\/event-stream.*?\r\n\r\n./ims.test(chunk.toString('latin1')))
        finish()
    })
    socket.on('end', finish)
    // The answer before the server closed the connection still counts.
    socket.on('error', finish)
    if (ending === 'leave') socket.end(bytes)
    else socket.write(bytes)
  })
}

function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const [line = '', ...rest] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? Number.NaN)
    const headers = headersIn(rest)
    const { body, next } = bodyIn(bytes, end + 4, headers)
    // 100 only says that the answer is still to come.
    if (status !== 100) answers.push({ status, headers, body })
    at = next
  }
  return answers
}

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}

function bodyIn(bytes: Buffer, from: number, headers: Readonly<Record<string, string>>) {
  if (headers['transfer-encoding'] === 'chunked') return chunksIn(bytes, from)
  const length = headers['content-length']
  const next = length === undefined ? bytes.length : Math.min(bytes.length, from + Number(length))
  return { body: bytes.toString('utf8', from, next), next }
}

function chunksIn(bytes: Buffer, from: number): { body: string; next: number } {
  const parts: Buffer[] = []
  let at = from
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? 0 : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(size > 0)) return { body: Buffer.concat(parts).toString(), next: lineEnd + 4 }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return { body: Buffer.concat(parts).toString(), next: bytes.length }
}
