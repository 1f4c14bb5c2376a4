import { expect, test } from 'vitest'
import { misspeltMember, unknownMember } from './index.ts'

const known = { needsApproval: true, guard: true, by: true, if: true } as const

test.each([
  [{ needApproval: 1 }, 'it has an unknown "needApproval": did you mean "needsApproval"?'],
  [{ needsapproval: 1 }, 'it has an unknown "needsapproval": did you mean "needsApproval"?'],
  [{ guard: 1, gaurd: 1 }, 'it has an unknown "gaurd": did you mean "guard"?'],
  [{ role: 1 }, 'it has an unknown "role": there are needsApproval, guard, by, if'],
  [{ x: 1 }, 'it has an unknown "x": there are needsApproval, guard, by, if'],
  [{ toString: 1 }, 'it has an unknown "toString": there are needsApproval, guard, by, if'],
])('%j names its unknown member, and the one that was meant', (given, said) => {
  expect(unknownMember(given, known)).toBe(said)
})

test.each([
  [undefined, 'it must be an object, and is undefined'],
  ['memory:', 'it must be an object, and is a string'],
  [[], 'it must be an object, and is a list'],
])('what is no object is named: %j', (given, said) => {
  expect(unknownMember(given, known)).toBe(said)
})

test('known members, and members of the prototype, are none', () => {
  expect(unknownMember({ guard: undefined, by: 'x' }, known)).toBeUndefined()
  expect(unknownMember(Object.create({ other: 1 }) as object, known)).toBeUndefined()
})

test('in an object of others only a misspelt member counts', () => {
  expect(misspeltMember({ title: 'x', outputSchema: {} }, known)).toBeUndefined()
  expect(misspeltMember({ title: 'x', needApproval: true }, known)).toBe(
    'it has an unknown "needApproval": did you mean "needsApproval"?',
  )
  // Beside the member itself a near name is one of the object's own.
  expect(misspeltMember({ needApproval: true, needsApproval: true }, known)).toBeUndefined()
})
