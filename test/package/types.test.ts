import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, inject, test } from 'vitest'
import { timesInTier } from '../tier.fixture.ts'

const { consumer } = inject('packed')

const front = `
  import { ThroughlineError, defineAgent, defineApp, defineDomain, open, scriptedModel } from 'throughline'
  import { subscribe } from 'throughline/client'
  const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello.') })
  const tl = await open({ store: 'memory:', agents: [helper] })
  export const text: string = (await tl.turn('t', { agent: 'helper', input: 'Hi' }).result).text
  export const doors = [ThroughlineError, defineApp, defineDomain, subscribe]`

const everything = `
  import * as front from 'throughline'
  import * as agui from 'throughline/agui'
  import * as client from 'throughline/client'
  import * as inline from 'throughline/inline'
  import * as log from 'throughline/log'
  import * as programs from 'throughline/programs'
  import * as react from 'throughline/react'
  import * as server from 'throughline/server'
  import * as extend from 'throughline/server/extend'
  import * as testing from 'throughline/testing'
  export const doors = [front, agui, client, inline, log, programs, react, server, extend, testing]`

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
