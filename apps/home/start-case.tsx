import { useState } from 'react'
import { ClientError } from 'throughline/client'
import { Banner, Button, Card, Form, LinkButton, SelectField, TextField } from '../kit/index.ts'
import type { CaseLinks, StartedCase } from './case-links.ts'
import { SCENARIOS, startCase, withDemoBar } from './case-links.ts'
import styles from './home.module.css'
import { isSignInNeeded } from './operator.ts'
import { SignIn } from './sign-in.tsx'
import { WORDS } from './words.ts'

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
  const [chosen, setChosen] = useState<string>('auto')
  const [start, setStart] = useState<Start>({ status: 'ready' })
  const submit = (): void => {
    if (start.status === 'starting') return
    setStart({ status: 'starting' })
    const scenario = SCENARIOS.find((known) => known === chosen) ?? 'auto'
    startCase(retailer.trim(), scenario).then(
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
    <Card title={WORDS.start.title}>
      {start.status === 'failed' && (
        <Banner tone="problem">
          {WORDS.start.failed}{' '}
          {WORDS.start.cause(start.error.problem?.detail ?? start.error.message)}
        </Banner>
      )}
      <Form errors={[]} onSubmit={submit}>
        <TextField
          id="retailer"
          label={WORDS.start.retailer}
          hint={WORDS.start.hint}
          maxLength={RETAILER_CHARS_MAX}
          value={retailer}
          onChange={setRetailer}
        />
        <SelectField
          id="scenario"
          label={WORDS.start.scenario}
          hint={WORDS.start.scenarioHint}
          value={chosen}
          unset="never"
          options={SCENARIOS.map((value) => ({ value, label: WORDS.start.scenarios[value] }))}
          onChange={setChosen}
        />
        <Button type="submit" readiness={start.status === 'starting' ? 'waiting' : 'ready'}>
          {start.status === 'starting' ? WORDS.start.starting : WORDS.start.start}
        </Button>
      </Form>
    </Card>
  )
}

function ReadyCase({ links }: { readonly links: CaseLinks }) {
  const { installer, customer, audit } = links
  const shown = [
    [installer, WORDS.started.installer],
    [customer, WORDS.started.customer],
    [withDemoBar(customer), WORDS.started.demo],
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
      <LinkButton href={installer}>{WORDS.started.open}</LinkButton>
    </Card>
  )
}
