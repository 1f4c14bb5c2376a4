import { DateField, errorAt } from '../../../kit/index.ts'
import styles from '../customer.module.css'
import { DraftText } from './draft-field.tsx'
import type { PartProps } from './form-parts.ts'
import { WORDS } from './words.ts'

export function AboutPart(props: PartProps) {
  const { draft, errors, onChange } = props
  const words = WORDS.fields.dateOfBirth
  return (
    <fieldset className={styles.group}>
      <legend>{WORDS.about}</legend>
      <DraftText {...props} field="fullName" words={WORDS.fields.fullName} autoComplete="name" />
      <DateField
        id="birthDay"
        label={words.label}
        hint={words.hint}
        words={words}
        error={errorAt(errors, 'birthDay')}
        value={{ day: draft.birthDay, month: draft.birthMonth, year: draft.birthYear }}
        onChange={({ day, month, year }) =>
          onChange({ birthDay: day, birthMonth: month, birthYear: year })
        }
      />
      <DraftText
        {...props}
        field="mobile"
        kind="tel"
        words={WORDS.fields.mobile}
        autoComplete="tel"
        maxLength={24}
      />
    </fieldset>
  )
}
