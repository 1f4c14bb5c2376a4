import { membersOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { sessionRequest } from '../../../kit/index.ts'

export interface FoundAddress {
  readonly addressLine1: string
  readonly addressLine2: string
  readonly town: string
  readonly county: string
}

export interface FoundAddresses {
  readonly addresses: readonly FoundAddress[]
  /** `made_up`: the demonstration has no register of addresses. */
  readonly source: 'register' | 'made_up'
}

/** @throws ClientError */
export async function lookUpAddresses(postcode: string): Promise<FoundAddresses> {
  const answer = await sessionRequest('/api/address-lookup', 'customer', { body: { postcode } })
  const { results, source } = membersOf(answer)
  const addresses = Array.isArray(results) ? results.map(readAddress) : []
  return { addresses, source: source === 'made_up' ? source : 'register' }
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
