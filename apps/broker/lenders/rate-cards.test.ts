import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { aprPct, RATE_CARDS, termsOf } from './rate-cards.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CODE = /(?<!\.(test|fixture))\.(ts|tsx|css|html)$/

test('the rate falls with every full £5,000 and not in between', () => {
  const aprs = [4_999, 5_000, 9_999, 10_000, 15_750, 25_000].map((amount) => rates(amount))
  expect(aprs).toEqual([
    [9.9, 11.4, 18.9],
    [9.65, 11.2, 18.8],
    [9.65, 11.2, 18.8],
    [9.4, 11, 18.7],
    [9.15, 10.8, 18.6],
    [8.65, 10.4, 18.4],
  ])
})

test('the rate never falls below zero', () => {
  expect(aprPct(RATE_CARDS[0], 1_000_000)).toBe(0)
})

test('each lender charges the published figure to the penny', () => {
  const figures = [
    [0, 15_750, 84, 251.71],
    [0, 15_750, 120, 197.71],
    [0, 15_750, 144, 177.36],
    [0, 15_750, 180, 157.77],
    [0, 12_500, 120, 158.47],
    [0, 4_500, 84, 73.5],
    [1, 15_750, 120, 210.76],
    [1, 15_750, 144, 190.97],
    [1, 26_000, 120, 342.66],
    [2, 15_750, 120, 275.54],
  ] as const
  const charged = figures.map(([index, amount, term]) => {
    const card = RATE_CARDS[index] ?? RATE_CARDS[0]
    return [index, amount, term, termsOf(card, amount, term).monthlyPayment]
  })
  expect(charged).toEqual(figures)
})

test('[B057] no code outside this folder names a lender', () => {
  const names = RATE_CARDS.map(({ lender }) => lender)
  const own = join('apps', 'broker', 'lenders') + sep
  const code = ['apps', 'src'].flatMap(filesUnder).filter((path) => CODE.test(path))
  const naming = code.filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return names.some((name) => text.includes(name))
  })
  expect(naming.filter((path) => path.startsWith(own))).toEqual([join(own, 'rate-cards.ts')])
  expect(naming.filter((path) => !path.startsWith(own))).toEqual([])
})

function rates(amount: number): number[] {
  return RATE_CARDS.map((card) => aprPct(card, amount))
}

function filesUnder(folder: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => !path.includes('node_modules')).map((path) => join(folder, path))
}
