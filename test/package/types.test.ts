import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, inject, test } from 'vitest'
import { timesInTier } from '../tier.fixture.ts'

const { consumer } = inject('packed')

const front = `
  import { LogError, defineAgent, defineApp, defineDomain, open, scriptedModel } from 'throughline'
  import { subscribe } from 'throughline/client'
  const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello.') })
  const tl = await open({ store: 'memory:', agents: [helper] })
  export const text: string = (await tl.turn('t', { agent: 'helper', input: 'Hi' }).result).text
  export const doors = [LogError, defineApp, defineDomain, subscribe]`

const everything = `
  import * as activity from 'throughline/activity'
  import * as agents from 'throughline/agents'
  import * as application from 'throughline/application'
  import * as domain from 'throughline/domain'
  import * as dueWork from 'throughline/due-work'
  import * as gate from 'throughline/gate'
  import * as inline from 'throughline/inline'
  import * as json from 'throughline/json'
  import * as log from 'throughline/log'
  import * as models from 'throughline/models'
  import * as react from 'throughline/react'
  import * as server from 'throughline/server'
  import * as step from 'throughline/step'
  import * as storage from 'throughline/storage'
  import * as thread from 'throughline/thread'
  export const rooms = [activity, agents, application, domain, dueWork, gate, inline, json, log]
  export const more = [models, react, server, step, storage, thread]`

const RESOLUTIONS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** What the compiler says of a program that checks the declarations of its packages too. */
function faultsOf(program: string, options: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(consumer, 'types-'))
  const strict = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2024' }
  const config = { compilerOptions: { ...strict, ...options }, files: ['program.ts'] }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'program.ts'), program)
  const tsc = resolve('node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout
}

/** Compiling takes seconds, so that every run tries one resolution. */
const TRIED = Object.entries(RESOLUTIONS).slice(0, timesInTier({ quick: 1, full: 2 }))

test.each(TRIED)(
  'a strict page program compiles against the package with %s, without the types of Node',
  (_name, options) => {
    const web = { lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }
    expect(faultsOf(front, { ...options, ...web })).toBe('')
  },
)

test.each(TRIED)(
  'a strict server program compiles against every door with %s, without the optional peers',
  (_name, options) => {
    const node = { types: ['node'], typeRoots: [resolve('node_modules/@types')] }
    expect(faultsOf(everything, { ...options, ...node })).toBe('')
  },
)
