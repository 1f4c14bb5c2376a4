import { useState } from 'react'
import { ClientError } from 'throughline/client'
import { normalisePostcode } from '../../addresses/postcode.ts'
import type { FoundAddresses } from './address-lookup.ts'
import { lookUpAddresses } from './address-lookup.ts'

export type AddressSearch =
  | { readonly status: 'none' }
  | { readonly status: 'no postcode' }
  | { readonly status: 'busy' }
  | { readonly status: 'failed' }
  | { readonly status: 'offline' }
  | ({ readonly status: 'found' } & FoundAddresses)

/** Looks for the addresses of a postcode when asked to. */
export function useAddressSearch(postcode: string): {
  readonly search: AddressSearch
  readonly find: () => void
} {
  const [search, setSearch] = useState<AddressSearch>({ status: 'none' })
  const find = (): void => {
    const asked = normalisePostcode(postcode)
    if (asked === undefined) return setSearch({ status: 'no postcode' })
    if (!navigator.onLine) return setSearch({ status: 'offline' })
    setSearch({ status: 'busy' })
    lookUpAddresses(asked).then(
      (found) => setSearch({ status: 'found', ...found }),
      (error: unknown) => {
        if (error instanceof ClientError) setSearch({ status: 'failed' })
      },
    )
  }
  return { search, find }
}
