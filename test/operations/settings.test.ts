import { expect, test } from 'vitest'
import { OUTPUT_TOKENS_MAX } from '../../src/models/index.ts'
import { ALLOWED_ORIGINS_MAX } from '../../src/server/index.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { emptyFolder, failToStart } from '../server-process.fixture.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

test('a log level that does not exist is refused in one line that names those that do', async () => {
  const { code, said } = await failToStart({ DATA_DIR: await emptyFolder(), LOG_LEVEL: 'loud' })
  expect(code).toBe(1)
  expect(said.trim().split('\n')).toHaveLength(1)
  for (const part of ['LOG_LEVEL', 'loud', ...LEVELS]) expect(said).toContain(part)
})

test('[X20] [M9] quotas have defaults, can be set, and are refused when they are no usable number', async () => {
  const DATA_DIR = await emptyFolder()
  const read = await readConfiguration({ DATA_DIR })
  expect([read.streamsPerToken, read.turnsPerMinute]).toEqual([16, 30])
  expect(read).not.toHaveProperty('threadTokensPerDay')
  const set = { STREAMS_PER_TOKEN: '2', TURNS_PER_MINUTE: '3', THREAD_TOKENS_PER_DAY: '4096' }
  expect(await readConfiguration({ DATA_DIR, ...set })).toMatchObject({
    streamsPerToken: 2,
    turnsPerMinute: 3,
    threadTokensPerDay: 4_096,
  })
  for (const name of Object.keys(set)) {
    for (const text of ['0', '-1', '1.5', 'many', '1e3', '1000000000001']) {
      const reading = readConfiguration({ DATA_DIR, [name]: text })
      await expect(reading).rejects.toThrow(`${name} is "${text}": give a whole number from`)
    }
  }
})

test('[M9] a daily budget without room for one model call is refused, with the least value', async () => {
  const DATA_DIR = await emptyFolder()
  for (const text of ['1', '4095']) {
    const reading = readConfiguration({ DATA_DIR, THREAD_TOKENS_PER_DAY: text })
    const range = `from ${OUTPUT_TOKENS_MAX} to 1000000000000`
    await expect(reading).rejects.toThrow(
      `THREAD_TOKENS_PER_DAY is "${text}": give a whole number ${range}`,
    )
  }
})

test('every level that exists can be set, and without one it is "warn"', async () => {
  const DATA_DIR = await emptyFolder()
  for (const level of LEVELS) {
    const read = await readConfiguration({ DATA_DIR, LOG_LEVEL: level })
    expect(read.logLevel).toBe(level)
  }
  expect((await readConfiguration({ DATA_DIR })).logLevel).toBe('warn')
  for (const level of ['WARN', '30', 'toString', ' ']) {
    await expect(readConfiguration({ DATA_DIR, LOG_LEVEL: level })).rejects.toThrow('LOG_LEVEL')
  }
})

const OPERATOR_TOKEN = 'a-token-of-an-operator-that-is-long-enough'

test.each([
  ['no address', 'loans.example'],
  ['another protocol', 'ftp://loans.example'],
  ['a path', 'https://loans.example/app'],
  ['a query', 'https://loans.example/?a=1'],
  ['a fragment', 'https://loans.example/#a'],
  ['a password', 'https://a:CANARY@loans.example'],
  ['plain HTTP that others can read', 'http://loans.example'],
])('[X16] PUBLIC_URL with %s is refused in one line that names it', async (_what, PUBLIC_URL) => {
  const env = { DATA_DIR: await emptyFolder(), OPERATOR_TOKEN }
  const refused: unknown = await readConfiguration({ ...env, PUBLIC_URL }).catch(String)
  expect(refused).toMatch(/^ConfigurationError: PUBLIC_URL [^\n]+: [^\n]+$/)
  expect(refused).not.toContain('CANARY')
})

test('[X16] PUBLIC_URL that others can reach needs an operator’s token, and is read as an origin', async () => {
  const DATA_DIR = await emptyFolder()
  const PUBLIC_URL = 'https://Loans.example:443/'
  await expect(readConfiguration({ DATA_DIR, PUBLIC_URL })).rejects.toThrow(
    /^PUBLIC_URL .*OPERATOR_TOKEN/,
  )
  const read = await readConfiguration({ DATA_DIR, PUBLIC_URL, OPERATOR_TOKEN })
  expect(read.publicUrl).toBe('https://loans.example')
  const local = await readConfiguration({ DATA_DIR, PUBLIC_URL: 'http://localhost:8080' })
  expect(local.publicUrl).toBe('http://localhost:8080')
})

test.each([
  ['no address', 'app.example'],
  ['a star', '*'],
  ['another protocol', 'ftp://app.example'],
  ['a path', 'https://app.example/chat'],
  ['a query', 'https://app.example/?a=1'],
  ['a password', 'https://a:CANARY@app.example'],
  ['plain HTTP that others can read', 'http://app.example'],
  ['an empty value', 'https://app.example,,https://b.example'],
  [
    'too many',
    Array(ALLOWED_ORIGINS_MAX + 1)
      .fill('https://app.example')
      .join(','),
  ],
])('[X8] ALLOWED_ORIGINS with %s is refused in one line that names it', async (_what, text) => {
  const DATA_DIR = await emptyFolder()
  const refused: unknown = await readConfiguration({ DATA_DIR, ALLOWED_ORIGINS: text }).catch(
    String,
  )
  expect(refused).toMatch(/^ConfigurationError: ALLOWED_ORIGINS holds [^\n]+: [^\n]+$/)
  expect(refused).not.toContain('CANARY')
})

test('[X8] ALLOWED_ORIGINS lists origins, separated by commas; without it none is allowed', async () => {
  const DATA_DIR = await emptyFolder()
  const ALLOWED_ORIGINS = 'https://App.example:443/, http://localhost:5173'
  const read = await readConfiguration({ DATA_DIR, ALLOWED_ORIGINS })
  expect(read.allowedOrigins).toEqual(['https://app.example', 'http://localhost:5173'])
  for (const unset of [{}, { ALLOWED_ORIGINS: '' }]) {
    expect(await readConfiguration({ DATA_DIR, ...unset })).not.toHaveProperty('allowedOrigins')
  }
})
