import { z } from 'zod'
import { defineAgent } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import { defineDomain } from '../domain/index.ts'
import type { Refusal } from '../domain/index.ts'
import { scriptedModel } from '../models/index.ts'

export interface Loan {
  readonly status: 'new' | 'asked' | 'lent' | 'closed'
  readonly pounds: number
  readonly paid: number
}

/** Faults that a test plants into an application that has none. */
export interface Planted {
  readonly overpays?: boolean
  readonly throws?: boolean
  readonly loops?: boolean
  readonly readsClock?: boolean
}

function loansDomain({ overpays, throws, loops, readsClock }: Planted) {
  const { event, domain } = defineDomain<Loan>()
  const customer = { source: 'ui', surface: 'customer' } as const
  const neverOverpaid = ({ paid, pounds }: Loan): boolean => paid <= pounds
  const guard = (
    { pounds, paid }: Loan,
    data: { readonly pounds: number },
  ): Refusal | undefined => {
    if (overpays || paid + data.pounds <= pounds) return undefined
    return { refused: 'precondition', detail: 'more than is owed' }
  }
  return domain({
    name: 'loans',
    initial: { status: 'new', pounds: 0, paid: 0 },
    invariants: [neverOverpaid],
    events: {
      asked: event({
        schema: z.strictObject({ pounds: z.int().min(1).max(25_000), why: z.string().optional() }),
        by: [customer, { source: 'model', surface: 'customer' }],
        from: { status: 'new' },
        reduce: (loan, { pounds }) => ({
          ...loan,
          pounds: readsClock ? pounds + (Date.now() % 2) : pounds,
          status: 'asked',
        }),
      }),
      lent: event({
        schema: z.strictObject({}),
        by: [{ source: 'model', surface: 'customer' }],
        from: { status: 'asked' },
        reduce: (loan) => ({ ...loan, status: 'lent' }),
      }),
      paid: event({
        schema: z.strictObject({ pounds: z.int().min(1).max(25_000) }),
        by: [customer],
        from: { status: 'lent' },
        guard,
        reduce: (loan, { pounds }) => ({ ...loan, paid: loan.paid + pounds }),
      }),
      noted: event({
        schema: z.strictObject({ tags: z.array(z.string()) }),
        by: [{ source: 'model', surface: 'customer' }],
        ...(throws && {
          guard: (_: Loan, { tags }: { readonly tags: readonly string[] }) =>
            tags[0]?.startsWith('x') && tags.length > 5 ? undefined : needText(tags[1]),
        }),
        reduce: (loan) => loan,
      }),
      closed: event({
        schema: z.strictObject({}),
        by: [{ source: 'rule' }],
        reduce: (loan) => ({ ...loan, status: loops ? 'lent' : 'closed' }),
      }),
    },
    rules: [
      {
        name: 'close',
        propose: ({ status, paid, pounds }) =>
          status === 'lent' && (loops ? paid > 0 : paid === pounds)
            ? [{ type: 'closed', data: {} }]
            : [],
      },
    ],
  })
}

/** Loans that a person asks for, an agent may note, and an agent lends after an approval. */
export function loansApp(planted: Planted = {}) {
  const loans = loansDomain(planted)
  const clerk = defineAgent({
    name: 'clerk',
    domain: loans,
    surface: 'customer',
    model: scriptedModel(() => 'Good day.'),
    emits: ['asked', 'noted'],
    tools: {
      lend: {
        inputSchema: z.object({}),
        needsApproval: true,
        proposes: ['lent'],
        execute: async (_, { propose }) => {
          await propose([{ type: 'lent', data: {} }])
          return 'lent'
        },
      },
    },
  })
  const roles = { customer: { read: 'all', propose: 'all', run: 'all', begin: true } } as const
  return defineApp({ name: 'loans', domain: loans, agents: [clerk], roles })
}

/** Like any function that trusts a list to be as long as it hopes. */
function needText(text: string | undefined): undefined {
  if ((text as string).length > 0) return undefined
  return undefined
}
