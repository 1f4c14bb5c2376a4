import { expect, test } from 'vitest'
import { z } from 'zod'
import { authorityOf, defineDomain } from './index.ts'
import { lamp } from './lamp.fixture.ts'

const { event, domain } = defineDomain<{ readonly status: string; readonly isPaid: boolean }>()
const nothing = z.strictObject({})

function desk(...by: readonly { readonly source: 'model' | 'ui'; readonly surface?: string }[]) {
  return domain({
    name: 'desk',
    initial: { status: 'new', isPaid: false },
    events: {
      paid: event({
        schema: nothing,
        by,
        from: { status: ['open', 'late'], isPaid: false },
        reduce: (state) => ({ ...state, isPaid: true }),
      }),
    },
  })
}

test('the authority of a domain is a row for each source that may propose a type, with what narrows it', () => {
  expect(authorityOf(lamp)).toEqual([
    'model: switch_on, when, guard',
    'rule: replace, guard',
    'rule: report',
    'ui on wall: switch_on, guard',
  ])
})

test('a row names the states that a type is accepted in, whatever the order of the declaration', () => {
  const clicked = { source: 'ui', surface: 'handler' } as const
  const rows = [
    'model: paid, from isPaid false, from status late or open',
    'ui on handler: paid, from isPaid false, from status late or open',
  ]
  expect(authorityOf(desk(clicked, { source: 'model' }))).toEqual(rows)
  expect(authorityOf(desk({ source: 'model' }, clicked))).toEqual(rows)
})
