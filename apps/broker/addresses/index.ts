/**
 * The address picker's source: postcodes, spelt in one way, and the addresses that they hold.
 * Everything behind {@link AddressLookup} is invented, and the same postcode always has the same
 * addresses. It must never know a case or its person.
 *
 * @module
 */
export type { AddressLookup } from './address-lookup.ts'
export { demoAddresses } from './demo-addresses.ts'
export { normalisePostcode } from './postcode.ts'
