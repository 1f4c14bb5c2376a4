import { useState } from 'react'
import { Button, ChoiceField, errorAt } from '../../../kit/index.ts'
import styles from '../cards/cards.module.css'
import { AddressFields } from './address-fields.tsx'
import type { FoundAddress } from './address-lookup.ts'
import { addressLabel } from './address-lookup.ts'
import { DraftSelect, DraftText, withOptionalLabel } from './draft-field.tsx'
import type { DetailsDraft } from './draft.ts'
import type { PartProps } from './form-parts.ts'
import { tenuresFor } from './tenures.ts'
import type { AddressSearch } from './use-address-search.ts'
import { useAddressSearch } from './use-address-search.ts'
import { WORDS } from './words.ts'

export interface HomePartProps extends PartProps {
  readonly entry: HomeEntry
}

/** The home: an address that is found or typed, and how it is owned. */
export function HomePart({ entry, ...props }: HomePartProps) {
  const { draft, view } = props
  const { fields } = WORDS
  const { search, find, shown, typeInstead } = entry
  const withPostcode =
    search.status === 'no postcode'
      ? { ...props, errors: [{ field: 'postcode', message: fields.postcode.missing }] }
      : props
  return (
    <>
      <div className={styles.withButton}>
        <DraftText
          {...withPostcode}
          field="postcode"
          words={fields.postcode}
          autoComplete="postal-code"
          maxLength={16}
        />
        <Button look="quiet" onClick={find}>
          {WORDS.find}
        </Button>
      </div>
      <SearchResult {...props} search={search} />
      {shown === 'fields' ? (
        <AddressFields {...props} />
      ) : (
        <Button look="bare" onClick={typeInstead}>
          {WORDS.typeInstead}
        </Button>
      )}
      <DraftSelect
        {...props}
        field="propertyType"
        words={withOptionalLabel(fields.propertyType)}
        options={WORDS.propertyTypes}
      />
      <DraftSelect
        {...props}
        field="residentialStatus"
        words={withOptionalLabel(fields.residentialStatus)}
        options={tenuresFor(view, draft)}
      />
    </>
  )
}

/** The way of entering the address; the form keeps it, because errors depend on the shown fields. */
export interface HomeEntry extends ReturnType<typeof useAddressSearch> {
  readonly shown: 'postcode' | 'list' | 'fields'
  readonly typeInstead: () => void
}

export function useHomeEntry(draft: DetailsDraft): HomeEntry {
  const found = useAddressSearch(draft.postcode)
  const [isTyped, setTyped] = useState(draft.addressLine1 !== '')
  const typeInstead = (): void => setTyped(true)
  if (isTyped || hasFailed(found.search)) return { ...found, shown: 'fields', typeInstead }
  return { ...found, shown: found.search.status === 'found' ? 'list' : 'postcode', typeInstead }
}

function hasFailed(search: AddressSearch): boolean {
  return (
    search.status === 'failed' ||
    search.status === 'offline' ||
    (search.status === 'found' && search.addresses.length === 0)
  )
}

function SearchResult({
  search,
  draft,
  errors,
  onChange,
}: PartProps & { readonly search: AddressSearch }) {
  if (search.status === 'busy') return <p role="status">{WORDS.finding}</p>
  if (search.status === 'offline') return <p role="status">{WORDS.lookupOffline}</p>
  if (search.status === 'failed') return <p role="status">{WORDS.lookupFailed}</p>
  if (search.status !== 'found') return null
  if (search.addresses.length === 0) return <p role="status">{WORDS.noAddresses}</p>
  const chosen = search.addresses.findIndex(
    (each) => each.addressLine1 === draft.addressLine1 && each.town === draft.town,
  )
  return (
    <ChoiceField
      id="address"
      kind="one"
      label={WORDS.pick}
      {...(search.source === 'made_up' ? { hint: WORDS.madeUp } : {})}
      chosen={[`${chosen}`]}
      error={errorAt(errors, 'address')}
      options={search.addresses.map(optionOf)}
      onChange={([value = '']) => {
        const address = search.addresses[Number(value)]
        if (address) onChange(address)
      }}
    />
  )
}

function optionOf(address: FoundAddress, index: number) {
  return { value: `${index}`, label: addressLabel(address) }
}
