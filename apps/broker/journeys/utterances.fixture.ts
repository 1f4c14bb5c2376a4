import { REFERENCE_SENTENCE } from './journey.fixture.ts'
import { PEOPLE, RETAILERS } from './utterances-people.fixture.ts'
import {
  EVERYTHING,
  PERSON,
  BUT_VALUE,
  BUT_DEPOSIT,
  BUT_PRODUCT,
  BUT_NAME,
  BUT_MOBILE,
  NO_DEPOSIT,
  NO_PRODUCT,
  DECLINED,
  NEGATIVE,
  TWO_PRICES,
  panels,
  battery,
  charger,
  mobile,
  email,
  sarahJones,
  AT_HAND,
  LINK_MADE,
  heard,
  refused,
} from './utterances-replies.fixture.ts'
import type { Utterance, Row, Turn } from './utterances-replies.fixture.ts'

const PRICES: readonly Row[] = [
  ['twelve and a half grand', { projectValue: 12_500 }, heard('£12,500', BUT_VALUE)],
  ['£12.5k', { projectValue: 12_500 }, heard('£12,500', BUT_VALUE)],
  [
    'twelve thousand five hundred pounds inc VAT',
    { projectValue: 12_500 },
    heard('£12,500', BUT_VALUE),
  ],
  ['Total £9,995.00 including VAT at 20%', { projectValue: 9_995 }, heard('£9,995', BUT_VALUE)],
  ['12 500 pounds', { projectValue: 12_500 }, heard('£12,500', BUT_VALUE)],
  ['seventeen point five k', { projectValue: 17_500 }, heard('£17,500', BUT_VALUE)],
  ['seventeen five', { projectValue: 17_500 }, heard('£17,500', BUT_VALUE)],
  [
    'The whole thing is £13,450.50, one thousand pounds deposit',
    { projectValue: 13_450.5, depositAmount: 1_000 },
    heard('£13,450.50, £1,000 deposit', 'Mobile, first name, email and product?'),
  ],
  ['it will be 15k', { projectValue: 15_000 }, heard('£15,000', BUT_VALUE)],
  ['a hundred and twenty thousand', { projectValue: 120_000 }, heard('£120,000', BUT_VALUE)],
  ['somewhere between twelve and thirteen thousand', {}, refused(TWO_PRICES)],
  ['£12,000 to £13,000', {}, refused(TWO_PRICES)],
  [
    '£8,000 for the panels and £4,500 for the battery',
    battery,
    heard('panels with battery', `${TWO_PRICES} ${BUT_PRODUCT}`),
  ],
  ['the price is minus twelve thousand', {}, refused(NEGATIVE)],
  ['-£12,500', {}, refused(NEGATIVE)],
  ['£2 million', {}, refused('That is more than a project can cost here.')],
]

const DEPOSITS: readonly Row[] = [
  ['Deposit ten per cent', { depositPct: 10 }, heard('10% deposit', BUT_DEPOSIT)],
  ["she'll pay 12.5% up front", { depositPct: 12.5 }, heard('12.5% deposit', BUT_DEPOSIT)],
  ['half up front', { depositPct: 50 }, heard('50% deposit', BUT_DEPOSIT)],
  ['two grand down', { depositAmount: 2_000 }, heard('£2,000 deposit', BUT_DEPOSIT)],
  ['a deposit of 500', { depositAmount: 500 }, heard('£500 deposit', BUT_DEPOSIT)],
  ['deposit 950', { depositAmount: 950 }, heard('£950 deposit', BUT_DEPOSIT)],
  ['nothing down', { depositAmount: 0 }, heard('no deposit', BUT_DEPOSIT)],
  ['deposit: nil', { depositAmount: 0 }, heard('no deposit', BUT_DEPOSIT)],
  [
    'two grand deposit from their savings',
    { depositAmount: 2_000 },
    heard('£2,000 deposit', BUT_DEPOSIT),
  ],
  [
    'fifteen hundred down on an eight and a half grand job',
    { projectValue: 8_500, depositAmount: 1_500 },
    heard('£8,500, £1,500 deposit', NO_PRODUCT),
  ],
  [
    '10 percent deposit on twelve thousand',
    { projectValue: 12_000, depositPct: 10 },
    heard('£12,000, 10% deposit', NO_PRODUCT),
  ],
  [
    '£17,500 with a 10% deposit, so £1,750',
    { projectValue: 17_500, depositPct: 10, depositAmount: 1_750 },
    heard('£17,500, £1,750 deposit', NO_PRODUCT),
  ],
  ['deposit is minus 5 percent', {}, refused(NEGATIVE)],
  ['deposit of -£500', {}, refused(NEGATIVE)],
  ['a 120% deposit', {}, refused('A deposit cannot be more than 100%.')],
  [
    '£10,000 job, deposit £12,000',
    { projectValue: 10_000 },
    heard('£10,000', `The deposit is more than the project value. ${BUT_VALUE}`),
  ],
]

const PRODUCTS: readonly Row[] = [
  ['just panels', panels, heard('panels only', BUT_PRODUCT)],
  ['PV and a Powerwall', battery, heard('panels with battery', BUT_PRODUCT)],
  [
    'sixteen panels with a 5 kWh battery and a zappi',
    { ...charger, batteryKwh: 5 },
    heard('panels with battery and EV charger, 5 kWh battery', BUT_PRODUCT),
  ],
  [
    'solar, battery, car charger and other bits',
    { productSpec: 'panels_battery_ev_other' },
    heard('panels with battery, EV charger and other work', BUT_PRODUCT),
  ],
  [
    '12 x 435 watt panels, 5.2 kWp',
    { ...panels, systemKwp: 5.2 },
    heard('panels only, 5.2 kWp', BUT_PRODUCT),
  ],
  ['just a battery, no panels', {}, EVERYTHING],
  ['panels and an EV charger, no battery', {}, EVERYTHING],
]

const PERSONAL: readonly Row[] = [
  ...[
    'she earns 42 thousand a year',
    "he's on forty grand a year",
    'take home is about two thousand a month',
    'salary 38k',
    'date of birth 12 May 1984',
    "she's 41 years old",
    'lives at 14 Oak Road, Swindon SN1 4AB',
    '14 Oak Road, SN1 4AB',
    'postcode SW1A 1AA',
    'he is a self-employed plumber',
    'mortgage is £850 a month',
    'they owe £6,000 on a credit card',
    'credit score 720',
    'sort code 12-34-56',
    'they have ten thousand in savings',
  ].map((said) => [said, {}, refused(DECLINED)] as const),
  [
    'Sarah Jones, 14 Oak Road SN1 4AB, 07700 900 123, £12,000 panels only, she earns 42k',
    { ...sarahJones, projectValue: 12_000, ...panels },
    heard(`£12,000, panels only, Sarah Jones, ${mobile}`, `${DECLINED} Email and deposit?`),
  ],
]

const NO_FACTS = [
  'asdf qwerty',
  'seventeen',
  'the house was built in 1998 and has 3 bedrooms',
  'roof pitch 35 degrees, 40 square metres',
  'quote reference 48213',
  'they use 4,200 kWh a year',
  'that will save about £900 a year',
  'the MPAN is 2000012345678',
  'installed by 14 March 2027 with a 25 year warranty',
  'they want to borrow £15,000 over 120 months at 9.9% APR',
].map((said) => [said, {}, EVERYTHING] as const)

const WHOLE: readonly Row[] = [
  [
    REFERENCE_SENTENCE,
    { projectValue: 17_500, depositPct: 10, ...battery, firstName: 'Sarah', email, mobile },
    heard(`£17,500, 10% deposit, panels with battery, Sarah, ${email}, ${mobile}`, LINK_MADE),
  ],
  [
    "Hi. Customer's Sarah Jones. She's going for sixteen panels and a battery. Total's fifteen " +
      "thousand. She'll put two thousand down. Mobile's 07700 900123.",
    { ...sarahJones, projectValue: 15_000, depositAmount: 2_000, ...battery },
    heard(`£15,000, £2,000 deposit, panels with battery, Sarah Jones, ${mobile}`, 'Email?'),
  ],
  [
    'Sarah Jones 07700 900123 sarah@example.com 12500 panels only no deposit',
    { ...sarahJones, email, projectValue: 12_500, depositAmount: 0, ...panels },
    heard(`£12,500, no deposit, panels only, Sarah Jones, ${email}, ${mobile}`, LINK_MADE),
  ],
  [
    'solar for 9.5k, deposit 950',
    { projectValue: 9_500, depositAmount: 950, ...panels },
    heard('£9,500, £950 deposit, panels only', PERSON),
  ],
]

const DIALOGUES: readonly Turn[] = [
  [
    ['Twelve and a half grand for solar'],
    'no, make that eleven thousand',
    { projectValue: 11_000 },
    heard('£11,000', NO_DEPOSIT),
  ],
  [
    [],
    'solar for twelve thousand. Scratch that, thirteen.',
    { projectValue: 13_000, ...panels },
    heard('£13,000, panels only', NO_DEPOSIT),
  ],
  [
    ['12k for solar', "deposit's two thousand"],
    'actually make it fifteen hundred',
    { depositAmount: 1_500 },
    heard('£1,500 deposit', PERSON),
  ],
  [
    ['12k for solar with a 10% deposit'],
    'sorry, fifteen percent',
    { depositPct: 15 },
    heard('15% deposit', PERSON),
  ],
  [['solar and battery for 12k'], 'actually no battery', panels, heard('panels only', NO_DEPOSIT)],
  [['the customer is Sara'], "no, it's Sarah", { firstName: 'Sarah' }, heard('Sarah', BUT_NAME)],
  [['mobile 07700 900 124'], `wrong number, it's ${mobile}`, { mobile }, heard(mobile, BUT_MOBILE)],
  [
    ['12k for solar, no deposit, Sarah, sarah@example.com'],
    'oh seven seven double oh nine double oh one two three',
    { mobile },
    heard(mobile, LINK_MADE),
  ],
  [
    ['12k for solar, no deposit, sarah@example.com, 07700 900 123'],
    'sarah',
    { firstName: 'Sarah' },
    heard('Sarah', LINK_MADE),
  ],
  [
    [REFERENCE_SENTENCE],
    'no, make that eighteen thousand',
    { projectValue: 18_000 },
    heard('£18,000', `Sarah's link is made. ${AT_HAND}`),
  ],
  [[REFERENCE_SENTENCE], 'have you texted her the link?', {}, `Sarah's link is made. ${AT_HAND}`],
  [
    [REFERENCE_SENTENCE],
    "sorry, we're Sunny Roofs Ltd",
    { retailerName: 'Sunny Roofs Ltd' },
    heard('Sunny Roofs Ltd as the retailer', `Sarah's link is made. ${AT_HAND}`),
  ],
  [
    ["We're Shady Roofs Ltd, the customer is Sarah"],
    "no, we're Sunny Roofs Ltd",
    { retailerName: 'Sunny Roofs Ltd' },
    heard('Sunny Roofs Ltd as the retailer', BUT_NAME),
  ],
]

export const UTTERANCES: readonly Utterance[] = [
  ...[PRICES, DEPOSITS, PRODUCTS, PEOPLE, RETAILERS, PERSONAL, NO_FACTS, WHOLE]
    .flat()
    .map(([said, facts, reply]) => ({ before: [], said, facts, reply })),
  ...DIALOGUES.map(([before, said, facts, reply]) => ({ before, said, facts, reply })),
]
