import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { pino } from 'pino'
import { app, open } from './mounted-routes.fixture.ts'
import { serve } from './index.ts'

test.each([
  ['of a told length', 'content-length: 1000'],
  ['in chunks', 'transfer-encoding: chunked'],
])('an upload %s that is cut off is no fault of the program', async (_how, header) => {
  const faults: unknown[] = []
  const throughline = await open(app)
  const onFault = (error: unknown) => void faults.push(error)
  const logger = pino({ level: 'silent' })
  const server = await serve(throughline, { port: 0, onFault, logger })
  onTestFinished(() => server.close())
  const { port } = new URL(server.url)
  const cut = async (): Promise<void> => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/threads/i-1/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
        `content-type: application/json\r\n${header}\r\n\r\n5\r\n{"eve`,
    )
    // The server has begun to read.
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await once(socket, 'close')
  }
  for (let count = 0; count < 5; count++) await cut()
  // A whole request shows that the server has dealt with those before it.
  const answer = await fetch(`${server.url}/api/health`)
  expect(answer.status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(faults).toEqual([])
})
