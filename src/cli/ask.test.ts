import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../storage/index.ts'
import { lampThread } from '../replay/lamp-threads.fixture.ts'
import { newFolder } from '../../test/folders.fixture.ts'
import { SECRET, throughline } from './throughline.fixture.ts'

const env = { NODE_OPTIONS: '--conditions=throughline-source' }
const LAMPS = JSON.stringify(resolve('src/replay/lamp-threads.fixture.ts'))

test('replay --ask shows what it would use, asks first, and compares what models propose in shares', async () => {
  const folder = newFolder()
  const store = `sqlite:${join(folder, 'log.db')}`
  const log = await openLog(store, { anchorKeys: [SECRET] })
  await lampThread(log as never)
  const ask = (name: string, text: string, ...args: readonly string[]) => {
    const module = join(folder, `${name}.ts`)
    writeFileSync(module, `import { lampApp } from ${LAMPS}\n${text}`)
    return throughline(['replay', '--ask', '--against', module, ...args, store], env)
  }
  const same = 'export const app = lampApp()'
  const bounded = ['--tokens-max', '1000000']
  const unasked = await ask('same', same, ...bounded)
  expect(unasked.code).toBe(2)
  expect(unasked.stdout).toContain('Nothing was asked')
  expect(unasked.stderr).toContain('2 turns in 1 threads, each asked 1 times')
  const equal = await ask('same', same, ...bounded, '--yes', '--times', '3')
  expect(equal).toMatchObject({ code: 0 })
  expect(equal.stdout).toContain('electrician: 6 of 6 answers (100 %) equal, of 2 turns')
  const other = await ask('other', 'export const app = lampApp(undefined, 35)', ...bounded, '--yes')
  expect(other).toMatchObject({ code: 1 })
  expect(other.stdout).toContain('+ switch_on {"watts":35')
  const json = await ask('same', same, ...bounded, '--yes', '--json')
  const lines = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)).toMatchObject({ done: true, verdict: 'equal', answers: 2, equal: 2 })
  const little = await ask('same', same, '--tokens-max', '1', '--yes')
  expect(little).toMatchObject({ code: 2 })
  expect(little.stdout).toContain('2 turns not asked: they would pass --tokens-max')
  expect((await ask('none', 'export const x = 1', ...bounded, '--yes')).stdout).toContain(
    'it exports no application',
  )
  expect((await ask('same', same)).code).toBe(2)
  await log.close()
})
