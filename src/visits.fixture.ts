import { z } from 'zod'
import { defineAgent } from './agents/index.ts'
import { defineApp } from './application/index.ts'
import type { Throughline, TypesOf } from './application/index.ts'
import { defineDomain } from './domain/index.ts'
import { scriptedModel } from './models/index.ts'
import type { LanguageModel } from './models/index.ts'

export interface Visit {
  readonly ward: string
  readonly patient?: { readonly name: string; readonly age: number }
  readonly isChild: boolean
  readonly notes: readonly string[]
}

const { event, domain } = defineDomain<Visit>()
const by = [{ source: 'ui' }] as const

export const visits = domain({
  name: 'visits',
  initial: { ward: 'none', isChild: false, notes: [] },
  events: {
    admitted: event({
      schema: z.object({ name: z.string(), age: z.int(), ward: z.string() }),
      by,
      personal: ['name', 'age'],
      reduce: (state, { name, age, ward }) => ({
        ...state,
        ward,
        patient: { name: letters(name), age },
        isChild: age < 16,
      }),
    }),
    noted: event({
      schema: z.object({ text: z.string() }),
      by,
      personal: ['text'],
      reduce: (state, { text }) => ({ ...state, notes: [...state.notes, text] }),
    }),
    moved: event({
      schema: z.object({ ward: z.string() }),
      by,
      reduce: (state, { ward }) => ({ ...state, ward }),
    }),
  },
})

/** Throws on a name that was taken out, as a reducer may that was written for names. */
function letters(name: string): string {
  if (name.startsWith('[')) throw new TypeError('A name has letters')
  return name.toUpperCase()
}

interface VisitsParts {
  readonly erasable?: boolean
  readonly model?: LanguageModel
  readonly retain?: (state: Visit, last: { readonly activeAt: number }) => number | undefined
}

const reads = scriptedModel(({ messages }) => `I read: ${JSON.stringify(messages.at(-1))}`)

export const visitsApp = ({ erasable = true, model = reads, retain }: VisitsParts = {}) =>
  defineApp({
    name: 'visits',
    domain: visits,
    domainVersion: '1',
    agents: [defineAgent({ name: 'nurse', model, instructions: 'Answer.' })],
    index: { patient: ({ patient }) => patient?.name, ward: ({ ward }) => ward },
    roles: {
      clerk: { read: 'all', propose: 'all', begin: true, run: 'all' },
      auditor: { read: 'redacted', propose: ['moved'] },
    },
    erasable,
    ...(retain && { retain }),
  })

export const PLANTED = Array.from({ length: 60 }, (_, n) => `planted${n}x`)

/** How many of the planted values a text holds, in any case. */
export function plantedIn(text: string): number {
  const found = text.match(/planted\d+x/gi) ?? []
  return new Set(found.map((each) => each.toLowerCase())).size
}

/** A visit in which the planted values stand wherever a person or a model may put one. */
export async function visit(
  tl: Opened,
  thread: string,
  values: readonly string[] = PLANTED,
): Promise<void> {
  const [name = '', ...others] = values
  const admitted = { name: `Ann ${name}`, age: 15, ward: 'west' }
  await tl.propose(thread, [{ type: 'admitted', data: admitted }])
  for (const text of others.slice(0, 29)) {
    await tl.propose(thread, [{ type: 'noted', data: { text } }])
  }
  const input = others.slice(29).join(' ')
  await tl.turn(thread, { agent: 'nurse', input }).result
  await tl.threads()
}

type Opened = Throughline<TypesOf<ReturnType<typeof visitsApp>>>
