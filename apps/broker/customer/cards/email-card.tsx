import {
  Button,
  ButtonRow,
  TextField,
  errorAt,
  useDraft,
  useFieldErrors,
} from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { draftKey } from '../draft-key.ts'
import { EMAIL_WORDS } from './email-words.ts'

const FIELD = 'email'
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** A copy by email or none: the application goes on with either. */
export function EmailCard({ entry, view, readiness, record }: CardProps) {
  const known = view.emailPreference?.email ?? view.contact.email ?? ''
  const [{ email }, setDraft, forget] = useDraft(draftKey('email', entry), { email: known })
  const { errors, check } = useFieldErrors(
    EMAIL.test(email.trim()) ? [] : [{ field: FIELD, message: EMAIL_WORDS.invalid }],
  )
  const type = 'record_email_preference'
  const submit = (): void => {
    if (check()) record([{ type, data: { wantsEmailCopy: true, email: email.trim() } }], forget)
  }
  const isInstallers = !view.emailPreference && email !== '' && email === view.contact.email
  return (
    <CardFrame
      title={EMAIL_WORDS.title}
      lead={EMAIL_WORDS.lead}
      errors={errors}
      onSubmit={submit}
      actions={
        <ButtonRow>
          <Button
            look="equal"
            readiness={readiness}
            onClick={() => record([{ type, data: { wantsEmailCopy: false } }], forget)}
          >
            {EMAIL_WORDS.unwanted}
          </Button>
          <Button type="submit" look="equal" readiness={readiness}>
            {EMAIL_WORDS.wanted}
          </Button>
        </ButtonRow>
      }
    >
      <TextField
        id={FIELD}
        kind="email"
        label={EMAIL_WORDS.address}
        given={
          isInstallers ? { by: 'person', text: EMAIL_WORDS.from(view.retailerName) } : undefined
        }
        autoComplete="email"
        value={email}
        error={errorAt(errors, FIELD)}
        onChange={(value) => setDraft({ email: value })}
      />
    </CardFrame>
  )
}
