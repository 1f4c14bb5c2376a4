import { pino } from 'pino'
import { onTestFinished, expect, test } from 'vitest'
import { connect } from 'node:net'
import { timesInTier } from '../../test/tier.fixture.ts'
import { app, open } from './mounted-routes.fixture.ts'
import { serve } from './index.ts'

const UPLOADS = timesInTier({ quick: 12, full: 40 })
const BYTES = 9 * 1_024 * 1_024

async function served() {
  const logger = pino({ level: 'silent' })
  const server = await serve(await open(app), { port: 0, logger })
  onTestFinished(() => server.close())
  return server
}

/** Sends a whole body and returns what came back, or how the connection ended. */
function upload(url: string, framing: 'a length' | 'chunks'): Promise<string> {
  const { port, host } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => (answer += text))
    socket.on('error', (error) => resolve(`${answer} ${error.message}`))
    socket.on('close', () => resolve(answer))
    const length =
      framing === 'a length' ? `content-length: ${BYTES}` : 'transfer-encoding: chunked'
    socket.write(
      `POST /agui/clerk HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
    )
    const body = Buffer.alloc(BYTES, 0x20)
    if (framing === 'chunks') socket.write(`${BYTES.toString(16)}\r\n`)
    // In parts, as over a network.
    for (let at = 0; at < BYTES; at += 65_536) socket.write(body.subarray(at, at + 65_536))
    if (framing === 'chunks') socket.write('\r\n0\r\n\r\n')
  })
}

test.each(['a length', 'chunks'] as const)(
  'a body that is too large, sent with %s, is answered 413, and the connection ends without a reset',
  async (framing) => {
    const { url } = await served()
    const answers = await Promise.all(Array.from({ length: UPLOADS }, () => upload(url, framing)))
    const wrong = answers.filter(
      (answer) => !/^HTTP\/1.1 413 .*connection: close.*body_too_large[^\n]*$/is.test(answer),
    )
    expect(wrong).toEqual([])
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  },
)
