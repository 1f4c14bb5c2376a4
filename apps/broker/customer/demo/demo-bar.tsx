import { useState } from 'react'
import { ClientError, membersOf, textOf } from 'throughline/client'
import { Banner, Button, SelectField, sessionRequest } from '../../../kit/index.ts'
import type { Trust } from '../trust.ts'
import { addressWithTrust, readTrust } from '../trust.ts'
import { DEMO_WORDS } from './words.ts'
import styles from './demo.module.css'

const words = DEMO_WORDS

/** For people who show the journey to others; customers of a real broker never meet it. */
export function DemoBar({ thread }: { readonly thread: string }) {
  return (
    <aside className={styles.demo} aria-label={words.label}>
      <details>
        <summary className={styles.summary}>{words.label}</summary>
        <DemoChoices thread={thread} />
      </details>
    </aside>
  )
}

function DemoChoices({ thread }: { readonly thread: string }) {
  return (
    <div className={styles.bar}>
      <TrustChoice />
      <NewCase />
      <p className={styles.audit}>
        <a
          className={styles.link}
          href={`/audit/${encodeURIComponent(thread)}`}
          target="_blank"
          rel="noopener"
        >
          {words.audit}
        </a>{' '}
        {words.auditHint}
      </p>
    </div>
  )
}

const TRUSTS: readonly (readonly [Trust, string])[] = [
  ['high', words.inline],
  ['low', words.hosted],
]

function TrustChoice() {
  const now = readTrust()
  return (
    <p className={styles.trust}>
      {words.trust}{' '}
      {TRUSTS.map(([trust, name]) => (
        <a
          key={trust}
          className={styles.link}
          href={addressWithTrust(trust)}
          aria-current={trust === now ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
    </p>
  )
}

/** The lenders' answers are fixed when a case is created, so other answers need a new case. */
function NewCase() {
  const [scenario, setScenario] = useState('auto')
  const [start, setStart] = useState<'ready' | 'starting' | 'failed'>('ready')
  const begin = (): void => {
    setStart('starting')
    sessionRequest('/api/session', 'operator', { body: { demoScenario: scenario || 'auto' } }).then(
      (answer) => location.assign(textOf(membersOf(answer)['links'] ?? null, 'installer')),
      (error: unknown) => {
        if (error instanceof ClientError) setStart('failed')
      },
    )
  }
  const options = Object.entries(words.scenarios).map(([value, label]) => ({ value, label }))
  return (
    <>
      <SelectField
        id="demo-scenario"
        label={words.scenario}
        value={scenario}
        options={options}
        onChange={setScenario}
      />
      <Button look="quiet" readiness={start === 'starting' ? 'waiting' : 'ready'} onClick={begin}>
        {start === 'starting' ? words.starting : words.start}
      </Button>
      {start === 'failed' && <Banner tone="problem">{words.failed}</Banner>}
    </>
  )
}
