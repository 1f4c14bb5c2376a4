export type Address = {
  readonly addressLine1: string
  readonly addressLine2?: string
  readonly town: string
  readonly county?: string
}

export type AddressAnswer =
  | { readonly postcode: string; readonly results: readonly Address[]; readonly source?: 'made_up' }
  | { readonly refused: 'invalid_postcode' }

/** The seam behind which a real address service replaces the built-in one. */
export interface AddressLookup {
  /** Lists the addresses of a postcode, spelt in any way; a postcode may well have none. */
  lookupAddresses(postcode: string): Promise<AddressAnswer>
}
