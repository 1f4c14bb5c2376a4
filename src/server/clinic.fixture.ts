import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import type { Role } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'

export interface Clinic {
  readonly ward: string
  readonly patient?: Patient
  readonly visits: readonly { readonly reason: string; readonly paid: number }[]
}

interface Patient {
  readonly name: string
  readonly age: number
  readonly smoker: boolean
  readonly contact: { readonly email: string }
}

/** What people, models and tools of a visit say, to be searched for. */
export const PLANTED = {
  name: 'Xanthippe Quackenbush',
  email: 'zephyrine@canary-mail.example',
  age: 91_733,
  reason: 'a cough since Umberdawn',
  asked: 'my wife is called Ermengarde',
  answered: 'Greetings to Peregrination.',
  thought: 'They sound like Larkspurton.',
  toolInput: 'the file of Pebblewick',
  toolOutput: 'the Tarrowby accident',
  refusedType: 'become_ferrywoman',
  refusedData: 'a secret of Oddleigh',
  approved: 'signed by Bartholomewina',
} as const

const { event, domain } = defineDomain<Clinic>()
const anybody = [{ source: 'ui' }, { source: 'model' }] as const
const parts = {
  name: 'clinic',
  initial: { ward: 'none', visits: [] },
  events: {
    admitted: event({
      schema: z.object({
        name: z.string(),
        age: z.int(),
        smoker: z.boolean(),
        contact: z.object({ email: z.string() }),
        ward: z.string(),
      }),
      by: anybody,
      personal: ['name', 'age', 'smoker', 'contact.email'],
      reduce: (state, { ward, ...patient }) => ({ ...state, ward, patient }),
    }),
    visited: event({
      schema: z.object({ reason: z.string(), paid: z.number() }),
      by: anybody,
      personal: ['reason'],
      reduce: ({ visits, ...state }, visit) => ({ ...state, visits: [...visits, visit] }),
    }),
    file_opened: event({
      schema: z.object({ reason: z.string().min(1) }),
      by: [
        { source: 'ui', surface: 'auditor' },
        { source: 'ui', surface: 'desk' },
      ],
      reduce: (state) => state,
    }),
    moved: event({
      schema: z.object({ ward: z.string() }),
      by: anybody,
      reduce: (state, { ward }) => ({ ...state, ward }),
    }),
  },
} as const

/** The domain with the places of personal data in its state, or without: then they are traced. */
const clinicDomain = (personal?: readonly string[]): Domain<Clinic> =>
  domain({ ...parts, ...(personal && { personal }) })

const nurseOf = (clinic: Domain<Clinic>) =>
  defineAgent<Clinic>({
    domain: clinic,
    name: 'nurse',
    emits: ['moved'],
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? `${PLANTED.answered} <agent-event type="${PLANTED.refusedType}" data='{"of":"${PLANTED.refusedData}"}' />
<agent-event type="moved" data='{"ward":"east"}' />`
        : {
            reasoning: PLANTED.thought,
            toolCalls: [{ name: 'look_up', input: { what: PLANTED.toolInput } }],
          },
    ),
    tools: {
      look_up: tool({
        inputSchema: z.object({ what: z.string() }),
        needsApproval: true,
        execute: () => PLANTED.toolOutput,
      }),
    },
  })

/** A clinic whose desk opens threads, and whose other roles are given. */
export const clinicApp = (
  roles: Readonly<Record<string, Role<Clinic>>>,
  personal?: readonly string[],
) => {
  const clinic = clinicDomain(personal)
  return defineApp<Clinic>({
    name: 'clinic',
    domain: clinic,
    agents: [nurseOf(clinic)],
    roles: {
      desk: { read: 'all', propose: 'all', run: 'all', begin: true, answer: true },
      ...roles,
    },
  })
}
