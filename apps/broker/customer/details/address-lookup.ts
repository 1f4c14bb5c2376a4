import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import { sessionRequest } from '../../../kit/index.ts'

export interface FoundAddress {
  readonly addressLine1: string
  readonly addressLine2: string
  readonly town: string
  readonly county: string
}

/** @throws ClientError */
export async function lookUpAddresses(postcode: string): Promise<readonly FoundAddress[]> {
  const answer = await sessionRequest('/api/address-lookup', 'customer', { body: { postcode } })
  const { results } = membersOf(answer)
  return Array.isArray(results) ? results.map(readAddress) : []
}

function readAddress(address: Json): FoundAddress {
  const { addressLine1, addressLine2, town, county } = membersOf(address)
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
  return {
    addressLine1: text(addressLine1),
    addressLine2: text(addressLine2),
    town: text(town),
    county: text(county),
  }
}

export function addressLabel({ addressLine1, addressLine2, town }: FoundAddress): string {
  return [addressLine1, addressLine2, town].filter(Boolean).join(', ')
}
