import { expect, test } from 'vitest'
import { descriptionOf } from './description.ts'
import { isOfSides } from './sides.ts'
import type { ThreadDescription } from './description.ts'
import { recordNamed } from './story/record-named.fixture.ts'

const orders: ThreadDescription = { tellings: { order_opened: { sentence: 'Opened' } } }
const tickets: ThreadDescription = { tellings: { ticket_opened: { sentence: 'Opened' } } }

test('a thread is described by the application that one of its records belongs to', () => {
  const described = (...types: readonly string[]) =>
    descriptionOf(
      types.map((type) => recordNamed(type)),
      [orders, tickets],
    )
  expect(described('RUN_STARTED', 'ticket_opened')).toBe(tickets)
  expect(described('order_opened')).toBe(orders)
  expect(described('RUN_STARTED', 'constructor')).toBeUndefined()
  expect(described()).toBeUndefined()
})

test('a thread without sides ignores the sides in its address', () => {
  const by = { source: 'ui', surface: 'customer', depth: 0 } as const
  const sides = { of: () => 'customer', words: { customer: 'Customer', shop: 'Shop' } }
  expect(isOfSides(by, ['shop'], undefined)).toBe(true)
  expect(isOfSides(by, ['shop'], sides)).toBe(false)
  expect(isOfSides(by, ['customer'], sides)).toBe(true)
  expect(isOfSides(by, [], sides)).toBe(true)
})
