import { expect, test } from 'vitest'
import type { CustomerContact } from '../case/index.ts'
import { extractFacts } from './extraction.ts'

type Renamed = readonly [said: string, found: CustomerContact]
const sara = { firstName: 'Sara' }
const RENAMED: readonly Renamed[] = [
  ["No, it's Sara without h", sara],
  ["no, it's sara without h", sara],
  ['sorry, Sara without an h', sara],
  ['Sara, no h', sara],
  ["it's Catherine with a C", { firstName: 'Catherine' }],
  ["no, it's just Sara", sara],
  ['No, it is Sara', sara],
  ['her name is spelt Sara', sara],
  ['Sara, not Sarah', sara],
  ['not Sarah, Sara', sara],
  ["No, it's Sara Khan", { ...sara, lastName: 'Khan' }],
  ["No, it's Sara, no last name", { ...sara, lastName: '' }],
  ["No, it's Sara. Drop the surname.", { ...sara, lastName: '' }],
  ['her last name is Jonas, not Jones', { lastName: 'Jonas' }],
  ['actually a battery with a 10 kWh', {}],
  ['actually 5.6 kWp with a battery', {}],
  ['no, not Sarah', {}],
]

test.each(RENAMED)('after "Sarah Jones" it reads "%s"', (said, found) => {
  expect(extractFacts(said, { firstName: 'Sarah' }).contact).toEqual(found)
})
