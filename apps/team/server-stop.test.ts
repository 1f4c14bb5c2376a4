import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { startServer } from '../../test/server-process.fixture.ts'

test('[D013] tabs see the end of the session when a server stops whose log is in memory', async () => {
  const env = { DATA_DIR: newFolder(), SCREEN_PORT: '0', STORE: 'memory', FORCE_DEMO_MODE: '1' }
  const server = await startServer(env)
  const started = await fetch(`${server.url}/api/session/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(started.status).toBe(200)
  const stream = await fetch(`${server.url}/api/events?after=-1`)
  const told = stream.text()
  await delay(100)
  const { code } = await server.end('SIGTERM')
  expect(code).toBe(0)
  expect(await told).toMatch(/"type":"session_end",.*"reason":"server_shutdown"/)
}, 30_000)
