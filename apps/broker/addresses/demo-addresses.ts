import type { Address, AddressLookup } from './address-lookup.ts'
import { normalisePostcode } from './postcode.ts'

const STREETS = [
  'Alder Walk',
  'Beacon Road',
  'Chandler Street',
  'Dovecote Lane',
  'Foundry Close',
  'Harvest Way',
  'Lantern Hill',
  'Weir Terrace',
]

const TOWNS = [
  { town: 'Ashcombe Vale', county: 'Northmarch' },
  { town: 'Brackenford', county: 'Northmarch' },
  { town: 'Fenwick Regis', county: 'Eastholm' },
  { town: 'Kingsmere' },
  { town: 'Thornley Cross', county: 'Eastholm' },
  { town: 'Wyndale' },
]

const HOUSES_MIN = 4
const FLATS = 4

/** Invented addresses, always the same ones for a postcode, and one town for its area. */
export const demoAddresses: AddressLookup = {
  async lookupAddresses(text) {
    const postcode = normalisePostcode(text)
    if (postcode === undefined) return { refused: 'invalid_postcode' }
    return { postcode, results: addressesOf(postcode), source: 'made_up' }
  },
}

function addressesOf(postcode: string): readonly Address[] {
  const number = numberOf(postcode)
  const area = postcode.replace(/\d.*$/, '')
  const town = TOWNS[numberOf(area) % TOWNS.length]
  const street = STREETS[number % STREETS.length]
  if (!town || !street) throw new Error(`Cannot look up '${postcode}': no street or town for it`)
  const first = 1 + (number % 40)
  const houses = Array.from({ length: HOUSES_MIN + (number % 4) }, (_, index) => ({
    addressLine1: `${first + 2 * index} ${street}`,
    ...town,
  }))
  return number % 3 === 0 ? [...houses, ...flatsIn(street, town)] : houses
}

function flatsIn(street: string, town: Pick<Address, 'town' | 'county'>): readonly Address[] {
  return Array.from({ length: FLATS }, (_, index) => ({
    addressLine1: `Flat ${index + 1}`,
    addressLine2: `Mill House, ${street}`,
    ...town,
  }))
}

function numberOf(text: string): number {
  let number = 7
  for (const letter of text) number = (number * 31 + letter.charCodeAt(0)) % 1_000_003
  return number
}
