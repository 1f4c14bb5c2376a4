import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

/** Classes that no caller meets: rooms throw and catch them among themselves. */
const INSIDE = ['Cancelled', 'FailedStep', 'Interrupted', 'LimitReached', 'PatchError']

const { consumer } = inject('packed')

function errorClasses(): readonly { readonly name: string; readonly base: string }[] {
  const listed = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' }).split('\n')
  const sources = listed.filter(
    (file) => file !== '' && !/\.(?:test|fixture)\.ts$|\/scripted-cli\//.test(file),
  )
  return sources.flatMap((file) => {
    const found = readFileSync(file, 'utf8').matchAll(
      /^export class (\w+)(?:<.*>)? extends (\w*Error)\b/gm,
    )
    return Array.from(found, ([, name = '', base = '']) => ({ name, base }))
  })
}

test('every error that a caller can meet has a code of its own area', () => {
  const bare = errorClasses().filter(({ base }) => base === 'Error')
  const names = bare.map(({ name }) => name).toSorted()
  expect(names).toEqual([...INSIDE, 'InvariantError', 'ThroughlineError'].toSorted())
  expect(errorClasses().length).toBeGreaterThan(2 * INSIDE.length)
})

test('one class catches the errors of every subpath', () => {
  const program = `
    import { ThroughlineError, defineAgent, open } from 'throughline'
    import { LogError, openLog } from 'throughline/log'
    import { ClientError, request } from 'throughline/client'
    import { verifyRun } from 'throughline/agui'
    const caught = []
    const meet = async (call) => {
      try { await call() } catch (error) {
        caught.push([error instanceof ThroughlineError, error.code, error.name])
      }
    }
    await meet(() => openLog('mysql:x'))
    await meet(() => open({ store: 'memory:', agents: [defineAgent({ name: '' })] }))
    await meet(() => request('http://127.0.0.1:1/', {}))
    await meet(async () => {
      for await (const event of verifyRun([{ type: 'TEXT_MESSAGE_END' }], {})) caught.push(event)
    })
    caught.push([new LogError('io', 'x') instanceof ThroughlineError, ClientError.name])
    console.log(JSON.stringify(caught))`
  const flags = ['--input-type=module', '--eval', program]
  const printed = execFileSync(process.execPath, flags, { cwd: consumer, encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual([
    [true, 'configuration', 'LogError'],
    [true, 'invalid_agent', 'AgentError'],
    [true, 'network', 'ClientError'],
    [true, expect.stringMatching(/malformed|out_of_order/), 'WireError'],
    [true, 'ClientError'],
  ])
})

test('what the package exports is listed, name by name, in the committed report', () => {
  const installed = join(consumer, 'node_modules/throughline/package.json')
  const { exports } = JSON.parse(readFileSync(installed, 'utf8')) as { readonly exports: object }
  const listed = readFileSync('docs/reference.md', 'utf8').matchAll(/^## `throughline(\S*)`$/gm)
  expect(Array.from(listed, ([, path]) => `.${path}`)).toEqual(Object.keys(exports))
})
