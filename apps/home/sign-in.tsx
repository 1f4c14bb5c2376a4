import { useEffect, useId, useState } from 'react'
import { Button, Card, Form, TextField, errorAt, inBackground } from '../kit/index.ts'
import type { FieldError } from '../kit/index.ts'
import { signIn } from './operator.ts'
import { WORDS } from './words.ts'

const TOKEN_CHARS_MAX = 1_024

/** Asks for the operator's token, and goes on once the server has taken it. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const field = useId()
  const [token, setToken] = useState('')
  const [status, setStatus] = useState<'ready' | 'sending'>('ready')
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  // The button that was pressed has gone.
  useEffect(() => document.getElementById(field)?.focus(), [field])
  const submit = async (): Promise<void> => {
    if (status === 'sending') return
    setStatus('sending')
    const message = token === '' ? WORDS.signIn.missing : await signIn(token)
    setStatus('ready')
    if (message === undefined) onSignedIn()
    else setErrors([{ field, message }])
  }
  return (
    <Card title={WORDS.signIn.title}>
      <p>{WORDS.signIn.text}</p>
      <Form errors={errors} onSubmit={() => inBackground(submit())}>
        <TextField
          id={field}
          label={WORDS.signIn.token}
          kind="password"
          autoComplete="current-password"
          maxLength={TOKEN_CHARS_MAX}
          value={token}
          onChange={setToken}
          error={errorAt(errors, field)}
        />
        <Button type="submit" readiness={status === 'sending' ? 'waiting' : 'ready'}>
          {WORDS.signIn.signIn}
        </Button>
      </Form>
    </Card>
  )
}
