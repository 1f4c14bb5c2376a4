import { expect, test } from 'vitest'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { ConfigurationError } from '../../apps/configuration-error.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { emptyFolder, failToStart } from '../server-process.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const read = async (OPERATOR_TOKEN: string) =>
  readConfiguration({ DATA_DIR: await emptyFolder(), OPERATOR_TOKEN })

test.each([
  ['a blank', 'CANARY CANARY'],
  ['a blank at its end', 'CANARY '],
  ['only blanks', '   '],
  ['a tab', 'CANARY\tCANARY'],
  ['a line end', 'CANARY\n'],
  ['a letter beyond ASCII', 'CANARYé'],
  ['a control character', 'CANARY\u007f'],
  ['more than a request head holds', 'CANARY'.repeat(200)],
  ['31 characters', 'CANARY'.padEnd(31, '.')],
])('an operator token with %s is refused, and not repeated', async (_what, token) => {
  const refused: unknown = await read(token).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigurationError)
  expect(String(refused)).toContain('OPERATOR_TOKEN')
  expect(String(refused)).not.toMatch(/CANARY|\n/)
})

test('a server with an operator token that cannot be used does not start, and says why in one line', async () => {
  const env = { DATA_DIR: await emptyFolder(), OPERATOR_TOKEN: 'two words'.repeat(4) }
  const { code, said } = await failToStart(env)
  expect(code).toBe(1)
  expect(said.trim().split('\n')).toHaveLength(1)
  expect(said).toContain('OPERATOR_TOKEN')
})

test('every character that is taken at the start lets the operator in', async () => {
  const ascii = Array.from({ length: 94 }, (_none, at) => String.fromCodePoint(33 + at)).join('')
  const { operatorToken = '' } = await read(ascii)
  expect(operatorToken).toBe(ascii)
  const broker = await testBroker({ operatorToken })
  const threads = (token: string) => request(`${broker.url}/api/threads`, { token })
  expect((await threads(operatorToken)).status).toBe(200)
  expect((await threads(operatorToken.slice(1))).status).toBe(401)
})
