import { expect, test } from 'vitest'
import { typedEvent } from './needed-facts.ts'
import type { Needed } from './needed-facts.ts'

test.each<[Needed, string, object | undefined]>([
  ['firstName', ' Llŷr ', { firstName: 'Llŷr' }],
  ['firstName', ' ', undefined],
  ['mobile', '+44 7700 900123', { mobile: '07700 900 123' }],
  ['mobile', '07700 900 12', undefined],
  ['email', 'sarah@example.com', { email: 'sarah@example.com' }],
  ['email', 'sarah at example', undefined],
  ['productSpec', 'panels_battery', { productSpec: 'panels_battery' }],
  ['productSpec', 'toString', undefined],
  ['projectValue', '£17,500', { projectValue: 17_500 }],
  ['projectValue', '-1', undefined],
  ['projectValue', '1000001', undefined],
  ['deposit', '1750.50', { depositAmount: 1_750.5 }],
  ['deposit', '12.5 %', { depositPct: 12.5 }],
  ['deposit', '101%', undefined],
  ['deposit', 'a fifth', undefined],
])('[surfaces 19] a typed %s of "%s" becomes %o', (name, text, data) => {
  expect(typedEvent(name, text)?.data).toEqual(data)
})
