/** The process of the writers: each has one connection and posts again when it was answered. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface Posting {
  readonly port: number
  readonly path: string
  readonly body: string
  readonly writers: number
}

// Given by `AppendWriters`.
const { port, path, body, writers } = JSON.parse(process.argv[2] ?? '') as Posting
const request =
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

let unposted = 0
let unanswered = 0
let well = 0

let writing = Array.from({ length: writers }, open)

function open(): Socket {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += String(chunk)
    if (!isWhole(answer)) return
    if (answer.startsWith('HTTP/1.1 2')) well++
    answer = ''
    if (--unanswered === 0) process.send?.(well)
    else post(socket)
  })
  return socket
}

process.on('message', (count: number) => {
  unposted = unanswered = count
  well = 0
  // Servers close connections that rest while the others are measured.
  writing = writing.map((socket) => (socket.closed || socket.readableEnded ? open() : socket))
  for (const socket of writing) post(socket)
})

function post(socket: Socket): void {
  if (unposted-- > 0) socket.write(request)
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1) return false
  const length = /^content-length: (\d+)/im.exec(answer.slice(0, head))?.[1]
  if (length !== undefined) return answer.length >= head + 4 + Number(length)
  return answer.startsWith('HTTP/1.1 204') || answer.endsWith('0\r\n\r\n')
}
