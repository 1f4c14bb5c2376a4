import { DateField, errorAt } from '../../../kit/index.ts'
import { DraftText } from './draft-field.tsx'
import type { PartProps } from './form-parts.ts'
import { WORDS } from './words.ts'

export function AboutPart(props: PartProps) {
  const { draft, errors, onChange, view } = props
  const { fullName, dateOfBirth, mobile } = WORDS.fields
  const isInstallers = view.personal.fullName === undefined && draft.mobile === view.contact.mobile
  return (
    <>
      <DraftText {...props} field="fullName" words={fullName} autoComplete="name" />
      <DateField
        id="birthDay"
        label={dateOfBirth.label}
        hint={dateOfBirth.hint}
        words={dateOfBirth}
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
        words={mobile}
        given={isInstallers ? { by: 'person', text: WORDS.toldBy(view.retailerName) } : undefined}
        autoComplete="tel"
        maxLength={24}
      />
    </>
  )
}
