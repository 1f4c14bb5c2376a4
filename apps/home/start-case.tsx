import { useState } from 'react'
import { ClientError } from 'throughline/client'
import { Banner, Button, Card, Form, LinkButton, TextField } from '../kit/index.ts'
import type { CaseLinks, StartedCase } from './case-links.ts'
import { startCase } from './case-links.ts'
import styles from './home.module.css'
import { isSignInNeeded } from './operator.ts'
import { SignIn } from './sign-in.tsx'
import { WORDS } from './words.ts'

/** The id of the part that starts a case. */
export const OWN_CASE = 'own-case'

const RETAILER_CHARS_MAX = 120

type Start =
  | { readonly status: 'ready' }
  | { readonly status: 'starting' }
  | { readonly status: 'sign in needed' }
  | { readonly status: 'failed'; readonly error: ClientError }
  | { readonly status: 'started'; readonly links: CaseLinks }

export interface StartCaseProps {
  readonly onStarted: (started: StartedCase) => void
  readonly onSignedIn: () => void
}

export function StartCase({ onStarted, onSignedIn }: StartCaseProps) {
  const [retailer, setRetailer] = useState('')
  const [start, setStart] = useState<Start>({ status: 'ready' })
  const submit = (): void => {
    if (start.status === 'starting') return
    setStart({ status: 'starting' })
    startCase(retailer.trim()).then(
      (started) => {
        setStart({ status: 'started', links: started.links })
        onStarted(started)
      },
      (error: unknown) => {
        if (!(error instanceof ClientError)) return
        setStart(isSignInNeeded(error) ? { status: 'sign in needed' } : { status: 'failed', error })
      },
    )
  }
  const goOn = (): void => {
    onSignedIn()
    submit()
  }
  if (start.status === 'sign in needed') return <SignIn onSignedIn={goOn} />
  if (start.status === 'started') return <ReadyCase links={start.links} />
  return (
    <details id={OWN_CASE} className={styles.own}>
      <summary>{WORDS.own.title}</summary>
      <p>{WORDS.own.text}</p>
      {start.status === 'failed' && (
        <Banner tone="problem">
          {WORDS.own.failed} {WORDS.own.cause(start.error.problem?.detail ?? start.error.message)}
        </Banner>
      )}
      <Form errors={[]} onSubmit={submit}>
        <TextField
          id="retailer"
          label={WORDS.own.retailer}
          hint={WORDS.own.hint}
          maxLength={RETAILER_CHARS_MAX}
          value={retailer}
          onChange={setRetailer}
        />
        <Button
          type="submit"
          look="quiet"
          readiness={start.status === 'starting' ? 'waiting' : 'ready'}
        >
          {WORDS.own.start}
        </Button>
      </Form>
    </details>
  )
}

function ReadyCase({ links }: { readonly links: CaseLinks }) {
  const { installer, customer, audit } = links
  const shown = [
    [installer, WORDS.started.installer],
    [customer, WORDS.started.customer],
    [audit, WORDS.started.audit],
  ] as const
  return (
    <Card title={WORDS.started.title}>
      <p role="status">{WORDS.started.text}</p>
      <ul className={styles.links}>
        {shown.map(([href, text]) => (
          <li key={text}>
            <a className={styles.link} href={href} target="_blank" rel="noopener">
              {text}
            </a>
          </li>
        ))}
      </ul>
      <LinkButton look="quiet" href={installer}>
        {WORDS.started.open}
      </LinkButton>
    </Card>
  )
}
