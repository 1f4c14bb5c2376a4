import { useState } from 'react'
import { ClientError } from 'throughline/client'
import { Button, SelectField } from '../../../kit/index.ts'
import { normalisePostcode } from '../../addresses/postcode.ts'
import styles from '../customer.module.css'
import type { FoundAddress } from './address-lookup.ts'
import { addressLabel, lookUpAddresses } from './address-lookup.ts'
import { DraftChoice, DraftText } from './draft-field.tsx'
import type { PartProps } from './form-parts.ts'
import { WORDS } from './words.ts'

type Lookup =
  | { readonly status: 'none' }
  | { readonly status: 'busy' }
  | { readonly status: 'failed' }
  | { readonly status: 'found'; readonly addresses: readonly FoundAddress[] }

export interface HomePartProps extends PartProps {
  readonly tenures: Readonly<Record<string, string>>
}

export function HomePart(props: HomePartProps) {
  const { fields } = WORDS
  const { lookup, find } = useLookup(props.draft.postcode)
  return (
    <fieldset className={styles.group}>
      <legend>{WORDS.home}</legend>
      <DraftText
        {...props}
        field="postcode"
        words={fields.postcode}
        autoComplete="postal-code"
        maxLength={16}
      />
      <Button look="secondary" onClick={find}>
        {WORDS.find}
      </Button>
      <LookupResult lookup={lookup} onPick={props.onChange} />
      <DraftText
        {...props}
        field="addressLine1"
        words={fields.addressLine1}
        autoComplete="address-line1"
      />
      <DraftText
        {...props}
        field="addressLine2"
        words={{ ...fields.addressLine2, hint: WORDS.optional }}
        autoComplete="address-line2"
      />
      <DraftText {...props} field="town" words={fields.town} autoComplete="address-level2" />
      <DraftText {...props} field="county" words={{ ...fields.county, hint: WORDS.optional }} />
      <DraftChoice
        {...props}
        field="propertyType"
        words={{ ...fields.propertyType, hint: WORDS.optional }}
        options={WORDS.propertyTypes}
      />
      <DraftChoice
        {...props}
        field="residentialStatus"
        words={{ ...fields.residentialStatus, hint: WORDS.optional }}
        options={props.tenures}
      />
    </fieldset>
  )
}

function useLookup(text: string): { readonly lookup: Lookup; readonly find: () => void } {
  const [lookup, setLookup] = useState<Lookup>({ status: 'none' })
  const find = (): void => {
    const postcode = normalisePostcode(text)
    if (postcode === undefined) return setLookup({ status: 'failed' })
    setLookup({ status: 'busy' })
    lookUpAddresses(postcode).then(
      (addresses) => setLookup({ status: 'found', addresses }),
      (error: unknown) => {
        if (error instanceof ClientError) setLookup({ status: 'failed' })
      },
    )
  }
  return { lookup, find }
}

interface LookupResultProps {
  readonly lookup: Lookup
  readonly onPick: (address: FoundAddress) => void
}

function LookupResult({ lookup, onPick }: LookupResultProps) {
  const [picked, setPicked] = useState('')
  if (lookup.status === 'none') return null
  if (lookup.status === 'busy') return <p role="status">{WORDS.finding}</p>
  if (lookup.status === 'failed') return <p role="status">{WORDS.lookupFailed}</p>
  if (lookup.addresses.length === 0) return <p role="status">{WORDS.noAddresses}</p>
  return (
    <SelectField
      id="address"
      label={WORDS.pick}
      value={picked}
      options={lookup.addresses.map((address, index) => ({
        value: `${index}`,
        label: addressLabel(address),
      }))}
      onChange={(value) => {
        setPicked(value)
        const address = value === '' ? undefined : lookup.addresses[Number(value)]
        if (address) onPick(address)
      }}
    />
  )
}
