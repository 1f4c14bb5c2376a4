import { expect, test } from 'vitest'
import { emptyFolder } from '../../../test/server-process.fixture.ts'
import { ConfigurationError } from '../../configuration-error.ts'
import { readConfiguration } from '../../configuration.ts'
import { SECRET } from './receiver.fixture.ts'

const read = async (env: Readonly<Record<string, string>>) =>
  readConfiguration({ DATA_DIR: await emptyFolder(), ...env })

test.each([
  ['WEBHOOK_URL', { WEBHOOK_URL: 'http://example.com/CANARY', WEBHOOK_SECRET: SECRET }],
  ['WEBHOOK_URL', { WEBHOOK_URL: 'https://a:CANARY@example.com', WEBHOOK_SECRET: SECRET }],
  ['WEBHOOK_URL', { WEBHOOK_URL: 'file:///CANARY', WEBHOOK_SECRET: SECRET }],
  ['WEBHOOK_SECRET', { WEBHOOK_URL: 'https://example.com/hook?key=CANARY' }],
  ['WEBHOOK_SECRET', { WEBHOOK_URL: 'https://example.com/', WEBHOOK_SECRET: 'CANARY' }],
  ['WEBHOOK_IDLE_S', { WEBHOOK_URL: 'https://e.com', WEBHOOK_SECRET: SECRET, WEBHOOK_IDLE_S: '0' }],
])('a wrong %s is refused by a line that names it and repeats no secret', async (name, env) => {
  const refused: unknown = await read(env).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigurationError)
  expect(String(refused)).toContain(name)
  expect(String(refused)).not.toMatch(/CANARY|\n/)
})

test('a receiver on https, or on loopback, is taken with its secret and its time', async () => {
  for (const url of ['https://example.com/hook?key=1', 'http://127.0.0.1:9/hook']) {
    const env = { WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET, WEBHOOK_IDLE_S: '60' }
    expect(await read(env)).toMatchObject({ webhooks: { url, secret: SECRET, idleMs: 60_000 } })
  }
  expect(await read({})).not.toHaveProperty('webhooks')
})
