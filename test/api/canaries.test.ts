import { expect, test } from 'vitest'
import { emptyFolder } from '../server-process.fixture.ts'
import { CANARIES, canariesIn } from './canaries.fixture.ts'
import { canaryJourney } from './canary-journey.fixture.ts'
import { startEcho, startWatched } from './watched-server.fixture.ts'

const secrets = {
  SECRET: CANARIES.secret,
  OPERATOR_TOKEN: CANARIES.operatorToken,
  ANTHROPIC_API_KEY: CANARIES.apiKey,
}

const STORED = [
  'firstName',
  'email',
  'mobile',
  'fullName',
  'dateOfBirth',
  'postcode',
  'addressLine1',
  'income',
  'commitments',
  'vulnerability',
  'customerSaid',
  'installerSaid',
]

test('[X13] of 60 canaries in a whole journey none is in a log, an error, an address or a metric', async ({
  annotate,
}) => {
  expect(Object.keys(CANARIES)).toHaveLength(60)
  const lender = await startEcho(400)
  const server = await startWatched({
    DATA_DIR: await emptyFolder(),
    LENDER_BASE_URL: lender.url,
    ...secrets,
  })
  const { errors, addresses, health, stored, carried } = await canaryJourney(server.url)
  await server.end()
  expect(server.output()).toContain('"level":30')
  expect(canariesIn(server.output(), carried)).toEqual([])
  expect(errors.length).toBeGreaterThan(30)
  for (const error of errors) expect(canariesIn(error, carried), error).toEqual([])
  expect(canariesIn(addresses.join('\n'), carried)).toEqual([])
  expect(canariesIn(health)).toEqual([])
  // The case holds the canaries for a reader with access.
  expect(canariesIn(stored)).toEqual(expect.arrayContaining(STORED))
  expect(lender.asked.length).toBeGreaterThan(0)
  expect(canariesIn(lender.asked.join('\n'), carried)).toEqual([])
  const lines = server.output().split('\n').length
  await annotate(
    `${canariesIn(server.output(), carried).length} of ${Object.keys(CANARIES).length} canaries in ${lines} lines of the log at level trace, ${errors.length} errors and ${addresses.length} addresses`,
    'promise',
  )
}, 60_000)

test('[X13] no text that a provider repeats gets into a log, an error or an address', async ({
  annotate,
}) => {
  const model = await startEcho(400)
  const server = await startWatched({
    DATA_DIR: await emptyFolder(),
    MODEL: 'anthropic/claude-canary',
    MODEL_BASE_URL: model.url,
    ...secrets,
  })
  const { errors, carried } = await canaryJourney(server.url)
  await server.end()
  expect(model.asked.length).toBeGreaterThan(3)
  expect(canariesIn(model.asked.join('\n'), carried)).toEqual([])
  expect(errors.some((error) => error.includes('model_failed'))).toBe(true)
  // A failed turn carries a new seed, as an answer does; nothing else of its problem may hold one.
  for (const error of errors.map((text) => text.replace(/"seed":"[^"]*"/, '')))
    expect(canariesIn(error, carried), error).toEqual([])
  expect(canariesIn(server.output(), carried)).toEqual([])
  await annotate(
    `${canariesIn(server.output(), carried).length} of ${Object.keys(CANARIES).length} canaries logged or answered while ${model.asked.length} requests to a provider failed with an echo`,
    'promise',
  )
}, 60_000)
