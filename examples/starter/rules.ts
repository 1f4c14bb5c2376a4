import { test } from 'node:test'
import { given } from 'throughline/testing'
import { orders } from './orders.ts'

const placed = { type: 'placed', data: { pounds: 40 } } as const
const paid = { type: 'paid', data: {} } as const

await test('a person pays the order that stands', () => {
  given(orders, [placed]).when(paid).then([paid])
})

await test('the clerk cannot pay, and nobody pays an order that is not there', () => {
  const model = { source: 'model' } as const
  given(orders, [placed])
    .when({ ...paid, origin: model })
    .thenRefused('not_authorised')
  given(orders).when(paid).thenRefused('precondition')
})

await test('an order that is paid cannot be placed again', () => {
  given(orders, [placed, paid]).when(placed).thenRefused('precondition')
})
