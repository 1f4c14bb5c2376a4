import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

const MODULES_MAX = 100

const { consumer } = inject('packed')
const hooks = join(import.meta.dirname, '../programs/count-modules.ts')

/** The addresses of all modules that a program of the package loads. */
function loadedBy(program: string): readonly string[] {
  const flags = ['--import', hooks, '--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
  return JSON.parse(printed) as readonly string[]
}

test('importing throughline loads at most 100 modules', () => {
  expect(loadedBy(`import 'throughline'`).length).toBeLessThanOrEqual(MODULES_MAX)
})

test('a program with the store memory: loads nothing of SQLite, threads, files or HTTP', () => {
  const loaded = loadedBy(`
    import { defineAgent, open, scriptedModel } from 'throughline'
    const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello.') })
    const tl = await open({ store: 'memory:', agents: [helper] })
    await tl.turn('t', { agent: 'helper', input: 'Hi' }).result
    await tl.close()`)
  expect(loaded.filter((url) => url.startsWith('node:'))).toEqual(['node:crypto'])
})
