import fc from 'fast-check'
import type { LogRecord, Origin } from 'throughline/client'
import { expect, test } from 'vitest'
import { NO_FILTERS, TABS, matching, readQuery, writeQuery } from './audit-query.ts'
import { tellRecords } from './story/index.ts'
import { recordNamed } from './story/record-named.fixture.ts'

const PLAIN = {
  ...NO_FILTERS,
  tab: 'thread',
  view: 'mattered',
  ev: undefined,
  from: undefined,
  watched: [],
  other: undefined,
  fork: undefined,
} as const

test.each([
  ['', PLAIN],
  ['?view=all', { ...PLAIN, view: 'all' }],
  ['?ev=31', { ...PLAIN, ev: 31 }],
  [
    '?view=all&who=person%2Crule&side=customer&q=%C2%A3197.71&ev=0',
    {
      ...PLAIN,
      view: 'all',
      who: ['person', 'rule'],
      sides: ['customer'],
      text: '£197.71',
      ev: 0,
    },
  ],
] as const)(
  '[surfaces 23] [surfaces 24] the address %s is read and written back',
  (search, query) => {
    expect(readQuery(search)).toEqual(query)
    expect(writeQuery(query)).toBe(search)
  },
)

test('any choice of a page is in its address', () => {
  const choices = fc.record({
    tab: fc.constantFrom(...TABS),
    from: fc.option(fc.nat(999_999_999), { nil: undefined }),
    watched: fc.array(
      fc.string({ maxLength: 60 }).map((path) => `/${path}`),
      { maxLength: 3 },
    ),
    other: fc.option(fc.record({ thread: fc.string({ minLength: 1 }), seq: fc.nat(999_999_999) }), {
      nil: undefined,
    }),
  })
  fc.assert(
    fc.property(choices, (chosen) => {
      const query = { ...PLAIN, ...chosen }
      expect(readQuery(writeQuery(query))).toEqual(query)
    }),
  )
})

test.each([
  '?tab=nothing',
  '?from=-1',
  '?watch=status',
  '?with=@3',
  '?with=case',
  '?with=case@x',
  '?view=some',
  '?who=nobody&side=',
  '?side=a+b,%3Cb%3E',
  '?ev=-1',
  '?ev=1e3',
  '?ev=99999999999',
  '?x=y',
])('what the page does not know in the address %s is left out', (search) => {
  expect(readQuery(search)).toEqual(PLAIN)
})

const by = (source: Origin['source'], surface: string, record: LogRecord): LogRecord => ({
  ...record,
  origin: { source, surface, depth: 0 },
})
const SIDES = {
  of: ({ surface = 'shop' }: Origin) => surface,
  words: { customer: 'Customer', installer: 'Installer', shop: 'Shop' },
}
const TELLINGS = { withdraw: { sentence: 'The customer withdrew the order' } }
const RECORDS = [
  recordNamed('order_opened', { shop: 'Lamps' }),
  by('system', 'installer', recordNamed('RUN_STARTED')),
  by('model', 'installer', recordNamed('contact_recorded', { mobile: '07700 900 123' })),
  by('ui', 'customer', recordNamed('withdraw')),
]
const story = tellRecords(RECORDS, TELLINGS)

test.each([
  ['nothing', {}, ['order_opened', 'contact_recorded', 'withdraw']],
  ['the view of all', { view: 'all' }, story.map(({ record }) => record.type)],
  ['who', { who: ['person', 'model'] }, ['contact_recorded', 'withdraw']],
  ['the side', { sides: ['customer'] }, ['withdraw']],
  ['neither person’s side', { sides: ['shop'] }, ['order_opened']],
  ['words of the sentence', { text: 'WITHDREW the' }, ['withdraw']],
  ['an agent’s name', { text: 'model for the inst' }, ['contact_recorded']],
  ['a value in the data', { text: ' 07700 900' }, ['contact_recorded']],
  ['both a side and words', { sides: ['installer'], text: 'withdrew' }, []],
] as const)('[surfaces 23] a timeline filtered by %s', (_, change, types) => {
  const found = matching(story, { ...PLAIN, ...change }, SIDES)
  expect(found.map(({ record }) => record.type)).toEqual(types)
})
