import { expect, test } from 'vitest'
import type { CustomerContact, ProjectFacts } from '../case/index.ts'
import { extractFacts } from './extraction.ts'

type Found = { project?: ProjectFacts; contact?: CustomerContact }
type Row = readonly [said: string, project: ProjectFacts, contact: CustomerContact]

const sarah = { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' }
const battery = { productSpec: 'panels_battery' } as const
const ten = { projectValue: 17_500, depositPct: 10 }
const clear = { retailer: {}, unclear: [], personal: false }

test('the reference sentence comes out as the golden trace has it', () => {
  const said =
    'Seventeen and a half thousand pounds solar plus battery, ten percent deposit, customer is ' +
    'Sarah, sarah at example dot com, oh seven seven hundred nine hundred one two three.'
  expect(extractFacts(said)).toEqual({
    project: { ...ten, ...battery },
    contact: sarah,
    ...clear,
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
  ['17,500 with no battery, a 3 bedroom house', { projectValue: 17_500 }, {}],
  ['hello there', {}, {}],
]

test.each(ORDINARY)('reads "%s"', (said, project, contact) => {
  expect(extractFacts(said)).toEqual({ project, contact, ...clear })
})

const HARDER: readonly Row[] = [
  ['we agreed fourteen and a quarter grand', { projectValue: 14_250 }, {}],
  ['nine thousand nine hundred and ninety-five quid', { projectValue: 9_995 }, {}],
  ['sixteen four fifty', { projectValue: 16_450 }, {}],
  ['£1.2m', {}, {}],
  ['£8.29k', { projectValue: 8_290 }, {}],
  ['project total GBP 14,000', { projectValue: 14_000 }, {}],
  ['value 15000 deposit 1500', { projectValue: 15_000, depositAmount: 1_500 }, {}],
  ['price is twelve, deposit is two', { projectValue: 12_000 }, {}],
  ['deposit twelve hundred and fifty', { depositAmount: 1_250 }, {}],
  ['customer pays £750 up front', { depositAmount: 750 }, {}],
  ['a quarter of the price as a deposit', { depositPct: 25 }, {}],
  ['deposit = 1000', { depositAmount: 1_000 }, {}],
  ['£900 discount', {}, {}],
  ['their electricity bill is £180 a month', {}, {}],
  ['the system generates 3,900 kWh per year', {}, {}],
  ['call me on extension 4521', {}, {}],
  ['the football finished 3-1', {}, {}],
  ['20 percent efficient panels', { productSpec: 'panels_only' }, {}],
  ['solar without a battery', { productSpec: 'panels_only' }, {}],
  ['she drives an EV', {}, {}],
  ['the homeowner is Mr Seamus O’Toole', {}, { firstName: 'Seamus', lastName: 'O’Toole' }],
  [
    'PRIYA SHARMA, P@EXAMPLE.COM',
    {},
    { firstName: 'Priya', lastName: 'Sharma', email: 'p@example.com' },
  ],
  ['customer is keen to start soon', {}, {}],
  ['(07700) 900123', {}, { mobile: '07700 900 123' }],
  ['tel 07700.900.123', {}, { mobile: '07700 900 123' }],
  ['07700 900 123 10% deposit', { depositPct: 10 }, { mobile: '07700 900 123' }],
  ['call 07700 900 123 about job 55', {}, { mobile: '07700 900 123' }],
  ["o'neill@example.com", {}, { email: "o'neill@example.com" }],
  ['P.Khan @ Example.com', {}, { email: 'p.khan@example.com' }],
  ['email s dot jones eighty four at example dot com', {}, { email: 's.jones84@example.com' }],
]

test.each(HARDER)('reads no more and no less from "%s"', (said, project, contact) => {
  expect(extractFacts(said)).toMatchObject({ project, contact, personal: false })
  const { project: found, contact: person } = extractFacts(said)
  expect({ ...found, ...person }).toEqual({ ...project, ...contact })
})

type Told = readonly [earlier: string, said: string, project: ProjectFacts]
const CORRECTED: readonly Told[] = [
  ['8k for solar', 'I said nine, not eight', { projectValue: 9_000 }],
  ['8k for solar, 10% deposit', 'the total should be 12,750 actually', { projectValue: 12_750 }],
  ['8k for solar, 10% deposit', 'deposit should be five percent not ten', { depositPct: 5 }],
  ['8k for solar, 10% deposit', 'correction: the deposit is £1,000', { depositAmount: 1_000 }],
  ['8k for solar, 10% deposit', 'no, make that nine thousand', { projectValue: 9_000 }],
  ['8k for solar, 10% deposit', 'no, make that eight hundred', { depositAmount: 800 }],
  ['8k for solar and battery', 'and an EV charger as well', { productSpec: 'panels_battery_ev' }],
  ['8k for solar', 'plus a battery', battery],
]

test.each(CORRECTED)('after "%s" it understands "%s"', (earlier, said, project) => {
  expect(extractFacts(said, { earlier: [earlier] })).toMatchObject({ project, ...clear })
  expect(extractFacts(said, { earlier: [earlier] }).project).toEqual(project)
})

const ANSWERS: readonly (readonly [asked: string, said: string, found: Found])[] = [
  ['project value', 'eighteen', { project: { projectValue: 18_000 } }],
  ['project value', "it's 950", { project: { projectValue: 950 } }],
  ['deposit', '£1750', { project: { depositAmount: 1_750 } }],
  ['deposit', 'five hundred', { project: { depositAmount: 500 } }],
  ['deposit', 'ten', {}],
  ['deposit', 'none', { project: { depositAmount: 0 } }],
  ['first name', 'sarah', { contact: { firstName: 'Sarah' } }],
  ['first name', 'Sarah Jones.', { contact: { firstName: 'Sarah', lastName: 'Jones' } }],
  ['first name', 'not sure', {}],
]

test.each(ANSWERS)('asked for %s, reads "%s"', (asked, said, found) => {
  const nothing = { project: {}, contact: {}, ...clear }
  expect(extractFacts(said, { asked })).toEqual({ ...nothing, ...found })
})

test.each([
  'she earns 42 thousand a year',
  'her date of birth is 12 May 1984',
  'his postcode is SN1 1AA',
  'they are retired',
  'income is £30,000',
  "he's on forty grand a year",
  'he brings in 35 grand',
  'she makes about 30k',
  'she has £20,000 saved up',
  'they have three thousand in the bank',
  'the house is at 22b Station Road',
  'National Insurance number QQ 12 34 56 C',
  'she can afford £200 per month',
])('takes nothing personal from "%s"', (said) => {
  expect(extractFacts(said)).toEqual({
    project: {},
    contact: {},
    retailer: {},
    unclear: [],
    personal: true,
  })
})

test.each([
  ['works as a nurse, 10% deposit', { depositPct: 10 }],
  ['put her income down as £28,000 and the price as £9,000', { projectValue: 9_000 }],
  ['£14k for panels and she earns £50k', { projectValue: 14_000, productSpec: 'panels_only' }],
])('takes only the project from "%s"', (said, project) => {
  expect(extractFacts(said)).toEqual({
    project,
    retailer: {},
    contact: {},
    unclear: [],
    personal: true,
  })
})

test('keeps the project when something personal is said beside it', () => {
  expect(extractFacts('17,500 for panels and she earns 42 thousand, Sarah, 07700 900 123')).toEqual(
    {
      project: { projectValue: 17_500, productSpec: 'panels_only' },
      contact: { firstName: 'Sarah', mobile: '07700 900 123' },
      retailer: {},
      unclear: [],
      personal: true,
    },
  )
})

test.each(['landline 01793 496 000', 'mobile 7700900123'])('"%s" is no UK mobile', (said) => {
  expect(extractFacts(said)).toEqual({
    project: {},
    contact: {},
    retailer: {},
    unclear: ['mobile'],
    personal: false,
  })
})
