import { spawnSync } from 'node:child_process'
import { expect, inject, test } from 'vitest'
import { installNode22 } from './node-22.fixture.ts'

const { consumer } = inject('packed')
const node22 = installNode22()

test.skipIf(node22 === undefined)(
  'on Node 22.18 the package runs with memory: and refuses sqlite: with what to do',
  () => {
    const program = `
      import { defineAgent, open, scriptedModel } from 'throughline'
      const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello.') })
      const tl = await open({ store: 'memory:', agents: [helper] })
      console.log((await tl.turn('t', { agent: 'helper', input: 'Hi' }).result).text)
      await tl.close()
      await open({ store: 'sqlite:old.db', agents: [helper] }).catch((error) => console.log(String(error)))`
    const flags = ['--input-type=module', '--eval', program]
    const { stdout } = spawnSync(String(node22), flags, { cwd: consumer, encoding: 'utf8' })
    const [said, refusal = ''] = stdout.split('\n')
    expect(said).toBe('Hello.')
    expect(refusal).toMatch(/^LogError: Cannot keep a log in SQLite .*; run a Node that brings/)
  },
)
