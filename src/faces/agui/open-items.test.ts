import { expect, test } from 'vitest'
import { OpenItems } from './open-items.ts'

test.each(['constructor', 'toString', '__proto__'])(
  'an event of the type "%s", which names no item, is sent as it is',
  (type) => {
    const event = { type, messageId: 'm' }
    expect(new OpenItems().take(event)).toEqual([event])
  },
)
