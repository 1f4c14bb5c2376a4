import { expect, test } from 'vitest'
import { differenceSentences, offerInShort } from './comparison-sentences.ts'
import { termText } from './term.ts'

type Figures = readonly [termMonths: number, monthlyPayment: number, totalPayable: number]

const terms = ([termMonths, monthlyPayment, totalPayable]: Figures) => {
  return { termMonths, monthlyPayment, totalPayable }
}

/** Worked out with decimal arithmetic, apart from this product. */
const VECTORS: readonly (readonly [Figures, Figures, readonly string[]])[] = [
  [
    [120, 197.71, 23725.2],
    [144, 190.97, 27499.68],
    [
      'You repay £3,774.48 more in total',
      'You pay for 2 years longer',
      'You pay £6.74 less a month',
    ],
  ],
  [
    [120, 197.71, 23725.2],
    [120, 210.76, 25291.2],
    ['You repay £1,566.00 more in total', 'You pay £13.05 more a month'],
  ],
  [
    [120, 197.71, 23725.2],
    [120, 275.54, 33064.8],
    ['You repay £9,339.60 more in total', 'You pay £77.83 more a month'],
  ],
  [
    [84, 251.71, 21143.64],
    [120, 210.76, 25291.2],
    [
      'You repay £4,147.56 more in total',
      'You pay for 3 years longer',
      'You pay £40.95 less a month',
    ],
  ],
  [
    [84, 251.71, 21143.64],
    [84, 263.92, 22169.28],
    ['You repay £1,025.64 more in total', 'You pay £12.21 more a month'],
  ],
  [
    [144, 177.36, 25539.84],
    [180, 172.15, 30987.0],
    [
      'You repay £5,447.16 more in total',
      'You pay for 3 years longer',
      'You pay £5.21 less a month',
    ],
  ],
  [
    [180, 157.77, 28398.6],
    [180, 172.15, 30987.0],
    ['You repay £2,588.40 more in total', 'You pay £14.38 more a month'],
  ],
  [
    [180, 157.77, 28398.6],
    [120, 275.54, 33064.8],
    [
      'You repay £4,666.20 more in total',
      'You pay £117.77 more a month',
      'You stop paying 5 years sooner',
    ],
  ],
  [
    [144, 177.36, 25539.84],
    [120, 275.54, 33064.8],
    [
      'You repay £7,524.96 more in total',
      'You pay £98.18 more a month',
      'You stop paying 2 years sooner',
    ],
  ],
  [
    [120, 319.94, 38392.8],
    [120, 342.66, 41119.2],
    ['You repay £2,726.40 more in total', 'You pay £22.72 more a month'],
  ],
  [
    [120, 158.47, 19016.4],
    [144, 152.89, 22016.16],
    [
      'You repay £2,999.76 more in total',
      'You pay for 2 years longer',
      'You pay £5.58 less a month',
    ],
  ],
  [
    [84, 73.5, 6174.0],
    [120, 61.6, 7392.0],
    [
      'You repay £1,218.00 more in total',
      'You pay for 3 years longer',
      'You pay £11.90 less a month',
    ],
  ],
  [
    [84, 73.5, 6174.0],
    [84, 93.11, 7821.24],
    ['You repay £1,647.24 more in total', 'You pay £19.61 more a month'],
  ],
  [
    [36, 318.09, 11451.24],
    [42, 285.46, 11989.32],
    [
      'You repay £538.08 more in total',
      'You pay for 6 months longer',
      'You pay £32.63 less a month',
    ],
  ],
  [
    [36, 318.09, 11451.24],
    [48, 255.95, 12285.6],
    ['You repay £834.36 more in total', 'You pay for 1 year longer', 'You pay £62.14 less a month'],
  ],
  [
    [60, 207.67, 12460.2],
    [48, 255.95, 12285.6],
    [
      'You pay £48.28 more a month',
      'You repay £174.60 less in total',
      'You stop paying 1 year sooner',
    ],
  ],
  [
    [150, 217.55, 32632.5],
    [156, 230.96, 36029.76],
    [
      'You repay £3,397.26 more in total',
      'You pay for 6 months longer',
      'You pay £13.41 more a month',
    ],
  ],
  [
    [36, 64.05, 2305.8],
    [37, 63.84, 2362.08],
    ['You repay £56.28 more in total', 'You pay for 1 month longer', 'You pay £0.21 less a month'],
  ],
  [
    [60, 83.34, 5000.4],
    [48, 104.17, 5000.16],
    [
      'You pay £20.83 more a month',
      'You repay £0.24 less in total',
      'You stop paying 1 year sooner',
    ],
  ],
  [
    [180, 157.77, 28398.6],
    [120, 197.71, 23725.2],
    [
      'You pay £39.94 more a month',
      'You repay £4,673.40 less in total',
      'You stop paying 5 years sooner',
    ],
  ],
]

test('there are twenty vectors', () => expect(VECTORS).toHaveLength(20))

test.each(VECTORS)(
  '[surfaces 58] asked for %j and offered %j, the sentences give pounds and years, the dearest first',
  (asked, offered, sentences) => {
    const said = differenceSentences(terms(asked), terms(offered))
    expect(said.map(({ sentence }) => sentence)).toEqual(sentences)
    for (const { sentence, amount } of said) expect(sentence).toContain(amount)
  },
)

test('equal terms have no difference', () => {
  const same = terms([120, 197.71, 23_725.2])
  expect(differenceSentences(same, same)).toEqual([])
  expect(offerInShort(same, same)).toBe(
    'The same payments for the same time. It costs the same overall.',
  )
})

test.each<readonly [Figures, Figures, string]>([
  [
    [120, 197.71, 23_725.2],
    [144, 190.97, 27_499.68],
    'Smaller payments for longer. It costs more overall.',
  ],
  [
    [180, 157.77, 28_398.6],
    [120, 197.71, 23_725.2],
    'Bigger payments for less time. It costs less overall.',
  ],
  [
    [120, 197.71, 23_725.2],
    [120, 210.76, 25_291.2],
    'Bigger payments for the same time. It costs more overall.',
  ],
])('%j beside %j in one line is %j', (asked, offered, line) => {
  expect(offerInShort(terms(asked), terms(offered))).toBe(line)
})

test.each([
  [1, '1 month'],
  [6, '6 months'],
  [12, '1 year'],
  [42, '3 years and 6 months'],
  [84, '7 years'],
  [121, '10 years and 1 month'],
  [180, '15 years'],
])('[surfaces 18] %d months are said as %j', (months, text) => expect(termText(months)).toBe(text))
