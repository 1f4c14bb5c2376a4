import fc from 'fast-check'
import { expect, test } from 'vitest'
import { demoAddresses } from './demo-addresses.ts'
import { normalisePostcode } from './postcode.ts'

test.each([
  ['sn11aa', 'SN1 1AA'],
  [' Sw1a  1Aa ', 'SW1A 1AA'],
  ['m11ae', 'M1 1AE'],
  ['B33 8TH', 'B33 8TH'],
  ['cr2\t6xh', 'CR2 6XH'],
  ['DN55 1PT', 'DN55 1PT'],
  ['w1a 0ax', 'W1A 0AX'],
  ['EC1A 1BB', 'EC1A 1BB'],
  ['gir0aa', 'GIR 0AA'],
])('%j is the postcode %s', (text, postcode) => {
  expect(normalisePostcode(text)).toBe(postcode)
})

test.each([
  '',
  'SN1',
  'SN1 1A',
  'SN1 1AAA',
  '1SN 1AA',
  'QN1 1AA',
  'SN1 1CA',
  'SN1-1AA',
  'SN１ 1AA',
  '90210',
  `SN1 1AA${' '.repeat(20)}`,
])('%j is not a postcode', async (text) => {
  expect(normalisePostcode(text)).toBeUndefined()
  expect(await demoAddresses.lookupAddresses(text)).toEqual({ refused: 'invalid_postcode' })
})

test('the same postcode has the same addresses, however it is spelt', async () => {
  const answer = await demoAddresses.lookupAddresses('SN1 1AA')
  expect(answer).toMatchObject({ postcode: 'SN1 1AA' })
  expect(await demoAddresses.lookupAddresses('sn11aa')).toEqual(answer)
})

const letter = fc.constantFrom('A', 'B', 'D', 'L', 'P', 'Q', 'U', 'Z')
const digit = fc.integer({ min: 0, max: 9 })
const someStreets = fc.tuple(fc.constantFrom('SN', 'M', 'LS'), digit, digit, letter, letter)

test('any postcode has addresses, no two alike, in the town of its area', async () => {
  const towns = new Map<string, string>()
  const property = fc.asyncProperty(someStreets, async ([area, district, sector, ...unit]) => {
    const asked = `${area}${district}${sector}${unit.join('')}`
    const answer = await demoAddresses.lookupAddresses(asked)
    const results = 'results' in answer ? answer.results : []
    expect(results.length).toBeGreaterThanOrEqual(4)
    expect(results.length).toBeLessThanOrEqual(11)
    const shown = results.map((found) => `${found.addressLine1}, ${found.addressLine2}`)
    expect(new Set(shown).size).toBe(results.length)
    for (const { town } of results) expect(towns.get(area) ?? town).toBe(town)
    for (const { town } of results) towns.set(area, town)
  })
  await fc.assert(property)
})

test('some postcodes hold flats, which need a second line', async () => {
  const units = ['A', 'B', 'D', 'E', 'F', 'G', 'H', 'J'].map((unit) =>
    demoAddresses.lookupAddresses(`SN1 1A${unit}`),
  )
  const found = (await Promise.all(units)).flatMap((answer) =>
    'results' in answer ? answer.results : [],
  )
  expect(found.some(({ addressLine2 }) => addressLine2 !== undefined)).toBe(true)
  expect(found.some(({ addressLine2 }) => addressLine2 === undefined)).toBe(true)
})
