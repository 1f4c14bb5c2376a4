import {
  Button,
  ButtonRow,
  Card,
  Form,
  TextField,
  errorAt,
  useDraft,
  useFieldErrors,
} from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { draftKey } from '../draft-key.ts'
import { WORDS } from '../words.ts'

const FIELD = 'email'
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function EmailCard({ entry, view, readiness, record }: CardProps) {
  const [{ email }, setDraft, forget] = useDraft(draftKey('email', entry), {
    email: view.emailPreference?.email ?? view.contact.email ?? '',
  })
  const { errors, check } = useFieldErrors(
    EMAIL.test(email.trim()) ? [] : [{ field: FIELD, message: WORDS.email.invalid }],
  )
  const type = 'record_email_preference'
  const submit = (): void => {
    if (check()) record([{ type, data: { wantsEmailCopy: true, email: email.trim() } }], forget)
  }
  return (
    <Card title={WORDS.email.title}>
      <p>{WORDS.email.text}</p>
      <Form errors={errors} onSubmit={submit}>
        <TextField
          id={FIELD}
          kind="email"
          label={WORDS.email.address}
          autoComplete="email"
          value={email}
          error={errorAt(errors, FIELD)}
          onChange={(value) => setDraft({ email: value })}
        />
        <ButtonRow>
          <Button type="submit" look="secondary" readiness={readiness}>
            {WORDS.email.wanted}
          </Button>
          <Button
            look="secondary"
            readiness={readiness}
            onClick={() => record([{ type, data: { wantsEmailCopy: false } }], forget)}
          >
            {WORDS.email.unwanted}
          </Button>
        </ButtonRow>
      </Form>
    </Card>
  )
}
