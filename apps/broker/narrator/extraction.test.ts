import { expect, test } from 'vitest'
import type { CustomerContact, ProjectFacts } from '../case/index.ts'
import { extractFacts } from './extraction.ts'

type Found = { project?: ProjectFacts; contact?: CustomerContact }
type Row = readonly [said: string, project: ProjectFacts, contact: CustomerContact]

const sarah = { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' }
const battery = { productSpec: 'panels_battery' } as const
const ten = { projectValue: 17_500, depositPct: 10, depositAmount: 1_750 }

test('the reference sentence comes out as the golden trace has it', () => {
  const said =
    'Seventeen and a half thousand pounds solar plus battery, ten percent deposit, customer is ' +
    'Sarah, sarah at example dot com, oh seven seven hundred nine hundred one two three.'
  expect(extractFacts(said)).toEqual({
    project: { ...ten, ...battery },
    contact: sarah,
    personal: false,
  })
})

const ORDINARY: readonly Row[] = [
  [
    '£17,500, panels and battery, 10% deposit, Sarah, sarah@example.com, 07700 900 123',
    { ...ten, ...battery },
    sarah,
  ],
  [
    '17.5k solar and battery with a 2k deposit for Sarah Jones',
    { projectValue: 17_500, depositAmount: 2_000, ...battery },
    { firstName: 'Sarah', lastName: 'Jones' },
  ],
  [
    'twelve thousand five hundred, panels only, no deposit',
    { projectValue: 12_500, depositAmount: 0, productSpec: 'panels_only' },
    {},
  ],
  [
    'its twenty-six grand for solar battery and an EV charger, deposit is five thousand pounds',
    { projectValue: 26_000, depositAmount: 5_000, productSpec: 'panels_battery_ev' },
    {},
  ],
  [
    'solar, battery, charge point and other, thirty thousand',
    { projectValue: 30_000, productSpec: 'panels_battery_ev_other' },
    {},
  ],
  ['Project value is 9,995 pounds', { projectValue: 9_995 }, {}],
  ['the job comes to 14 and a half thousand', { projectValue: 14_500 }, {}],
  ['£8,250.50 for the panels', { projectValue: 8_250.5, productSpec: 'panels_only' }, {}],
  ['a hundred and five thousand two hundred and ten pounds', { projectValue: 105_210 }, {}],
  [
    '14 panels, 5.6 kWp with a 9.5 kWh battery',
    { systemKwp: 5.6, batteryKwh: 9.5, ...battery },
    {},
  ],
  ['four point two kilowatt peak solar', { systemKwp: 4.2, productSpec: 'panels_only' }, {}],
  ['a 10 kilowatt hour battery', { batteryKwh: 10, ...battery }, {}],
  ['solar with no battery, 11k', { projectValue: 11_000, productSpec: 'panels_only' }, {}],
  ['putting down 1,500', { depositAmount: 1_500 }, {}],
  ['fifteen per cent down', { depositPct: 15 }, {}],
  ['ten percent', { depositPct: 10 }, {}],
  ['17,500 including 20% VAT', { projectValue: 17_500 }, {}],
  ['seventeen thousand, no, make that 18', { projectValue: 18_000 }, {}],
  ['no, make that 18', { projectValue: 18_000 }, {}],
  ['deposit is 2k, sorry, 3k', { depositAmount: 3_000 }, {}],
  ['ten percent deposit, actually fifteen', { depositPct: 15 }, {}],
  ['17,500, make the deposit 2,000', { projectValue: 17_500, depositAmount: 2_000 }, {}],
  ["customer's name is sarah jones", {}, { firstName: 'Sarah', lastName: 'Jones' }],
  ["her name's Siobhan O'Brien", {}, { firstName: 'Siobhan', lastName: "O'Brien" }],
  ['Mrs Jones', {}, { lastName: 'Jones' }],
  ['the customer is Mr John Smith', {}, { firstName: 'John', lastName: 'Smith' }],
  ['the customer is ready and wants solar', { productSpec: 'panels_only' }, {}],
  ["Sarah's number is 07700900123", {}, { firstName: 'Sarah', mobile: '07700 900 123' }],
  ['email is sarah jones at example dot co dot uk', {}, { email: 'sarahjones@example.co.uk' }],
  ['sarah dot jones at g mail dot com', {}, { email: 'sarah.jones@gmail.com' }],
  ["It's SARAH_J@Example.com.", {}, { email: 'sarah_j@example.com' }],
  ['mobile +44 7700 900123', {}, { mobile: '07700 900 123' }],
  ['oh double seven double oh, nine double oh, one twenty three', {}, { mobile: '07700 900 123' }],
  [
    'plus four four seven seven hundred nine hundred one two three',
    {},
    { mobile: '07700 900 123' },
  ],
  ['landline 01793 496 000', {}, {}],
  ['mobile 7700900123', {}, {}],
  ['17,500 with no battery, a 3 bedroom house', { projectValue: 17_500 }, {}],
  ['hello there', {}, {}],
]

test.each(ORDINARY)('reads "%s"', (said, project, contact) => {
  expect(extractFacts(said)).toEqual({ project, contact, personal: false })
})

const ANSWERS: readonly (readonly [asked: string, said: string, found: Found])[] = [
  ['project value', 'eighteen', { project: { projectValue: 18_000 } }],
  ['project value', "it's 950", { project: { projectValue: 950 } }],
  ['deposit', '£1750', { project: { depositAmount: 1_750 } }],
  ['deposit', 'five hundred', { project: { depositAmount: 500 } }],
  ['deposit', 'ten', {}],
  ['first name', 'sarah', { contact: { firstName: 'Sarah' } }],
  ['first name', 'Sarah Jones.', { contact: { firstName: 'Sarah', lastName: 'Jones' } }],
  ['first name', 'not sure', {}],
]

test.each(ANSWERS)('asked for %s, reads "%s"', (asked, said, found) => {
  const nothing = { project: {}, contact: {}, personal: false }
  expect(extractFacts(said, asked)).toEqual({ ...nothing, ...found })
})

test.each([
  'she earns 42 thousand a year',
  'her date of birth is 12 May 1984',
  'his postcode is SN1 1AA',
  'they are retired',
  'income is £30,000',
])('takes nothing personal from "%s"', (said) => {
  expect(extractFacts(said)).toEqual({ project: {}, contact: {}, personal: true })
})

test('keeps the project when something personal is said beside it', () => {
  expect(extractFacts('17,500 for panels and she earns 42 thousand, Sarah, 07700 900 123')).toEqual(
    {
      project: { projectValue: 17_500, productSpec: 'panels_only' },
      contact: { firstName: 'Sarah', mobile: '07700 900 123' },
      personal: true,
    },
  )
})
