import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { saying } from '../session/scripted-team.fixture.ts'
import { openTeam } from '../team.fixture.ts'
import { listenForScreen } from './screen-server.ts'

test('the screen answers how many commands it has read', async () => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  const url = `http://127.0.0.1:${screen.port}`
  const drawn = await fetch(`${url}/cmd`, { method: 'POST', body: 'FACE happy\nnonsense\nCLR' })
  expect(await drawn.json()).toEqual({ ok: true, parsed: 2 })
  expect(await (await fetch(`${url}/feedback`)).json()).toEqual([])
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ ok: true })
  expect((await fetch(`${url}/other`)).status).toBe(404)
})

test('a port in use is an error', async () => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  await expect(listenForScreen(screen.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a team whose screen cannot listen starts, and warns in plain words', async () => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  const team = await openTeam({ script: () => saying('Hello'), screenPort: screen.port })
  onTestFinished(() => team.close())
  expect((await team.post('/api/session/start')).status).toBe(200)
  expect([team.faults, team.warnings]).toEqual([
    [],
    [expect.stringMatching(`^Another program uses port ${screen.port}, so set SCREEN_PORT`)],
  ])
})

test('[X1] a request that is cut in its body does not end the process, and the next one is answered', async () => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const socket = connect(screen.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST /cmd HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nFACE')
  await setTimeout(50)
  socket.resetAndDestroy()
  const drawn = await fetch(`http://127.0.0.1:${screen.port}/cmd`, { method: 'POST', body: 'CLR' })
  expect(await drawn.json()).toEqual({ ok: true, parsed: 1 })
  expect(unhandled).toEqual([])
})

test.each([
  ['another name of this machine', { host: 'evil.example' }],
  ['an origin', { origin: 'http://127.0.0.1:3000' }],
])('a request with %s is refused: pages do not draw', async (_what, headers) => {
  const screen = await listenForScreen(0)
  onTestFinished(() => screen.close())
  const asked = request({ port: screen.port, path: '/cmd', method: 'POST', headers })
  asked.end('FACE happy')
  const [response] = await once(asked, 'response')
  expect(response).toMatchObject({ statusCode: 403 })
})
