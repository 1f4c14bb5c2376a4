import type { TextFieldProps } from '../../../kit/index.ts'
import { ChoiceField, SelectField, TextField, errorAt } from '../../../kit/index.ts'
import type { DetailsDraft } from './draft.ts'
import type { PartProps } from './form-parts.ts'
import { WORDS } from './words.ts'

interface FieldWords {
  readonly label: string
  readonly hint?: string
}

export function withOptionalLabel(words: FieldWords): FieldWords {
  return { ...words, label: WORDS.optional(words.label) }
}

export interface DraftFieldProps extends PartProps {
  readonly field: keyof DetailsDraft
  readonly words: FieldWords
  readonly given?: TextFieldProps['given']
}

export interface DraftTextProps extends DraftFieldProps {
  readonly kind?: 'text' | 'tel' | 'decimal' | 'numeric' | 'lines'
  readonly autoComplete?: string
  readonly maxLength?: number
}

/** A text field of the draft. */
export function DraftText(props: DraftTextProps) {
  const { draft, errors, onChange, field, words, kind = 'text', maxLength = 200 } = props
  return (
    <TextField
      id={field}
      kind={kind}
      label={words.label}
      hint={words.hint}
      given={props.given}
      {...(kind === 'decimal' && { sign: WORDS.sign })}
      autoComplete={props.autoComplete ?? 'off'}
      maxLength={maxLength}
      value={draft[field]}
      error={errorAt(errors, field)}
      onChange={(value) => onChange({ [field]: value })}
    />
  )
}

export interface DraftChoiceProps extends DraftFieldProps {
  /** The case's values, in words. */
  readonly options: Readonly<Record<string, string>>
}

/** A drop-down list of a field's allowed values. */
export function DraftSelect(props: DraftChoiceProps) {
  const { draft, errors, onChange, field, words, options } = props
  return (
    <SelectField
      id={field}
      label={words.label}
      hint={words.hint}
      value={draft[field]}
      options={Object.entries(options).map(([value, label]) => ({ value, label }))}
      error={errorAt(errors, field)}
      onChange={(value) => onChange({ [field]: value })}
    />
  )
}

/** Radio buttons for a field's allowed values. */
export function DraftChoice(props: DraftChoiceProps) {
  const { draft, errors, onChange, field, words, options } = props
  return (
    <ChoiceField
      id={field}
      kind="one"
      label={words.label}
      hint={words.hint}
      chosen={[draft[field]]}
      options={Object.entries(options).map(([value, label]) => ({ value, label }))}
      error={errorAt(errors, field)}
      onChange={([value = '']) => onChange({ [field]: value })}
    />
  )
}
