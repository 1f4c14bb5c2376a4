import { expect, test } from 'vitest'
import { readConfiguration } from '../../apps/configuration.ts'
import { emptyFolder, failToStart } from '../server-process.fixture.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

test('a log level that does not exist is refused in one line that names those that do', async () => {
  const { code, said } = await failToStart({ DATA_DIR: await emptyFolder(), LOG_LEVEL: 'loud' })
  expect(code).toBe(1)
  expect(said.trim().split('\n')).toHaveLength(1)
  for (const part of ['LOG_LEVEL', 'loud', ...LEVELS]) expect(said).toContain(part)
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
