import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decide, defineDomain } from './index.ts'
import { given } from './given.ts'

interface Claim {
  readonly status: 'new' | 'assessed' | 'paid'
  readonly urgent: boolean
  readonly by?: string
}

const { event, domain } = defineDomain<Claim>()
const handler = { source: 'ui' } as const
const claims = domain({
  name: 'claims',
  initial: { status: 'new', urgent: false },
  events: {
    moved: event({
      schema: z.object({ to: z.enum(['new', 'assessed', 'paid']) }),
      by: [handler],
      reduce: (claim, { to }) => ({ ...claim, status: to }),
    }),
    paid: event({
      schema: z.object({}),
      by: [handler],
      from: { status: ['new', 'assessed'], urgent: false },
      guard: ({ by }) => (by ? { refused: 'locked', detail: 'it is taken' } : undefined),
      reduce: (claim) => ({ ...claim, status: 'paid' }),
    }),
  },
})

test('an event is accepted in the states of its `from` alone', () => {
  const moved = (to: Claim['status']) => ({ type: 'moved', data: { to } }) as const
  fc.assert(
    fc.property(fc.constantFrom('new', 'assessed', 'paid'), (status) => {
      const asked = given(claims, [moved(status)]).when({ type: 'paid', data: {} })
      if (status === 'paid') asked.thenRefused('precondition')
      else expect(asked.state.status).toBe('paid')
    }),
  )
})

test('a refusal names what the state must be, and not what it is', () => {
  const paid: Claim = { status: 'paid', urgent: true }
  const proposal = { id: 'x', type: 'paid', data: {}, origin: { source: 'ui', depth: 0 } } as const
  expect(decide(claims, paid, { proposal, now: 0 })).toEqual({
    refused: 'precondition',
    detail: 'it needs "status" to be "new" or "assessed"',
  })
})

test.each([
  [['new'], 'must name members of the state'],
  ['new', 'must name members of the state'],
  [{ status: { is: 'new' } }, 'names no values that "status" can be compared with'],
  [{ status: [] }, 'names no values that "status" can be compared with'],
])('a `from` that can never be met is refused where it is defined: %j', (from, why) => {
  const define = () =>
    domain({
      name: 'd',
      initial: claims.initial,
      events: {
        paid: event({ schema: z.object({}), by: [handler], from: from as never, reduce: (s) => s }),
      },
    })
  expect(define).toThrow(`its \`from\` ${why}`)
})
