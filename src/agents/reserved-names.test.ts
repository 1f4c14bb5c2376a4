import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EventType } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'
import { defineAgent, tool } from './index.ts'

const { event, domain } = defineDomain<object>()
const any = event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: (state) => state })
const rule = (name: string) => ({ name, propose: () => [] })
const effect = (name: string) => ({ name, due: () => undefined })
const model = scriptedModel(() => '')
const use = tool({ inputSchema: z.object({}), execute: () => '' })
const agent = (name: string) => defineAgent({ name, model })

const defined = (events: Record<string, typeof any>) => domain({ name: 'd', initial: {}, events })
const ruled = (...names: readonly string[]) =>
  domain({ name: 'd', initial: {}, events: {}, rules: names.map(rule) })
const deadlined = (...names: readonly string[]) =>
  domain({ name: 'd', initial: {}, events: {}, deadlines: names.map(effect) })
const effected = (...names: readonly string[]) =>
  domain({ name: 'd', initial: {}, events: {}, effects: names.map(effect) })
const tooled = (name: string) => defineAgent({ name: 'a', model, tools: { [name]: use } })

const MEMBERS = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)]
const OURS = [
  ...writtenByLibrary(),
  ...Object.values(EventType),
  'effect_done',
  'effect_',
  'throughline.note',
  'throughline.',
]
const TOOLS = ['call_', 'call_me', 'handoff_to_', 'handoff_to_me', 'propose_', 'propose_lit']

/** The types that the library's own code gives to records. */
function writtenByLibrary(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      // The log writes nothing of its own, and its contract writes whatever it likes.
      file.endsWith('.ts') && !/^log\/|\.(?:test|fixture|test-d)\.ts$/.test(file),
  )
  return files.flatMap((file) => {
    const code = readFileSync(join('src', file), 'utf8').replaceAll(/^ *(?:\*|\/\/).*$/gm, '')
    const typed = code.matchAll(/\btype: '(\w+)'(?: satisfies \w+)?,\s+data\b/g)
    const named = code.matchAll(/\bconst type = '(\w+)'/g)
    const agui = code.matchAll(/\bagentEvent\(\s*'(\w+)'/g)
    return [...typed, ...named, ...agui].map(([, type = '']) => type)
  })
}

test('[S14] every type of a record that the library writes is reserved', () => {
  const written = new Set(writtenByLibrary())
  expect([...written]).toEqual(
    expect.arrayContaining([
      'event_refused',
      'effect_requested',
      'token_revoked',
      'link_opened',
      'RUN_STARTED',
    ]),
  )
  for (const type of written) expect(() => defined({ [type]: any }), type).toThrow('is reserved')
})

test('[S14] reserved and duplicate names are refused where they are defined, with the name and the mend', async ({
  annotate,
}) => {
  const reserved: readonly (readonly [name: string, define: () => unknown])[] = [
    ...[...OURS, ...MEMBERS].map((name) => [name, () => defined({ [name]: any })] as const),
    ...MEMBERS.map((name) => [name, () => ruled(name)] as const),
    ...MEMBERS.map((name) => [name, () => effected(name)] as const),
    ...MEMBERS.map((name) => [name, () => deadlined(name)] as const),
    ...[...TOOLS, ...MEMBERS].map((name) => [name, () => tooled(name)] as const),
    ...MEMBERS.map((name) => [name, () => agent(name)] as const),
    // Written so, the member is not there at all.
    ['__proto__', () => defined({ __proto__: any } as object as Record<string, typeof any>)],
    ['__proto__', () => defineAgent({ name: 'a', model, tools: { __proto__: use } as never })],
  ]
  const duplicate: typeof reserved = [
    ['Lit', () => defined({ lit: any, Lit: any })],
    ['R1', () => ruled('R1', 'R2', 'R1')],
    ['send', () => effected('send', 'send')],
    ['escalate', () => deadlined('escalate', 'Escalate')],
    ['helper', () => defineAgent({ name: 'a', model, agents: [agent('helper'), agent('helper')] })],
    [
      'Tax expert',
      () => defineAgent({ name: 'a', model, handoffs: [agent('TaxExpert'), agent('Tax expert')] }),
    ],
  ]
  for (const [code, cases] of [
    ['reserved_name', reserved],
    ['duplicate_name', duplicate],
  ] as const) {
    for (const [name, define] of cases) {
      expect(define, name).toThrow(
        expect.objectContaining({ name: 'DefinitionError', code }) as Error,
      )
      expect(define, name).toThrow(name)
      expect(define, name).toThrow(/give it a|rename one/)
    }
  }
  const count = reserved.length + duplicate.length
  await annotate(
    `${count} of ${count} reserved or duplicate names refused at definition`,
    'promise',
  )
})

test('[S14] names that only look like them are taken', () => {
  const names = ['effects', 'my_effect_done', 'throughline', 'run_started', 'proto', 'constructors']
  for (const name of names) expect(defined({ [name]: any }).events.has(name)).toBe(true)
  for (const name of ['calling', 'handoff', 'recall_me'])
    expect(tooled(name).tools.has(name)).toBe(true)
  expect(ruled('effect_rule', 'R1').rules).toHaveLength(2)
})
