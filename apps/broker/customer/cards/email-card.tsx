import { useState } from 'react'
import type { FieldError } from '../../../kit/index.ts'
import { Button, ButtonRow, Card, Form, TextField, errorAt } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { WORDS } from '../words.ts'

const FIELD = 'email'
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function EmailCard({ view, readiness, record }: CardProps) {
  const [email, setEmail] = useState(view.emailPreference?.email ?? view.contact.email ?? '')
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const type = 'record_email_preference'
  const submit = (): void => {
    const isValid = EMAIL.test(email.trim())
    setErrors(isValid ? [] : [{ field: FIELD, message: WORDS.email.invalid }])
    if (isValid) record([{ type, data: { wantsEmailCopy: true, email: email.trim() } }])
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
          onChange={setEmail}
        />
        <ButtonRow>
          <Button type="submit" look="secondary" readiness={readiness}>
            {WORDS.email.wanted}
          </Button>
          <Button
            look="secondary"
            readiness={readiness}
            onClick={() => record([{ type, data: { wantsEmailCopy: false } }])}
          >
            {WORDS.email.unwanted}
          </Button>
        </ButtonRow>
      </Form>
    </Card>
  )
}
