import { DraftText, withOptionalLabel } from './draft-field.tsx'
import type { PartProps } from './form-parts.ts'
import { WORDS } from './words.ts'

/** The address as the customer types it. */
export function AddressFields(props: PartProps) {
  const { fields } = WORDS
  return (
    <>
      <DraftText
        {...props}
        field="addressLine1"
        words={fields.addressLine1}
        autoComplete="address-line1"
      />
      <DraftText
        {...props}
        field="addressLine2"
        words={withOptionalLabel(fields.addressLine2)}
        autoComplete="address-line2"
      />
      <DraftText {...props} field="town" words={fields.town} autoComplete="address-level2" />
      <DraftText {...props} field="county" words={withOptionalLabel(fields.county)} />
    </>
  )
}
