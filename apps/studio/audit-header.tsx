import { Radio } from 'lucide'
import { loanOutcome } from '../broker/case/loan-outcome.ts'
import type { CaseState } from '../broker/case/state.ts'
import type { ThreadPlace } from 'throughline/react'
import type { Command } from '../kit/index.ts'
import { Brand, CommandPalette, Tag } from '../kit/index.ts'
import { connectionOf } from './connection.ts'
import styles from './studio.module.css'
import { VerifyBadge } from './verify-badge.tsx'
import { WORDS } from './words.ts'

export interface AuditHeaderProps {
  readonly thread: string
  readonly place: Pick<ThreadPlace, 'status' | 'seq' | 'head'>
  /** None for a thread that is no case. */
  readonly state: CaseState | undefined
  readonly commands: () => readonly Command[]
}

export function AuditHeader({ thread, place, state, commands }: AuditHeaderProps) {
  return (
    <header className={styles.header}>
      <span className={styles.brand}>
        <Brand name="Throughline" href="/" />
      </span>
      <h1>{WORDS.title}</h1>
      {state && <CaseName state={state} />}
      <span className={styles.states}>
        <span role="status">
          {place.status === 'live' ? (
            <Tag tone="ok" icon={Radio}>
              {WORDS.tail.live}
            </Tag>
          ) : (
            <Tag>{WORDS.tail.paused}</Tag>
          )}
        </span>
        <VerifyBadge thread={thread} head={place.seq} connection={connectionOf(place)} />
      </span>
      <CommandPalette commands={commands} />
    </header>
  )
}

/** Initials only: a page that is open on a desk shows no name. */
function CaseName({ state }: { readonly state: CaseState }) {
  const initials = initialsOf(state)
  const outcome = loanOutcome(state)
  return (
    <>
      <span>
        {initials !== '' && <strong>{WORDS.customer(initials)}</strong>}{' '}
        <span className={styles.soft}>{state.retailerName}</span>
      </span>
      <Tag tone={outcome === 'loan_accepted' ? 'ok' : 'plain'}>
        {outcome === undefined ? WORDS.statuses[state.status] : WORDS.outcomes[outcome]}
      </Tag>
    </>
  )
}

function initialsOf({ personal, contact }: CaseState): string {
  const { firstName = '', lastName = '' } = contact
  const names = (personal.fullName ?? `${firstName} ${lastName}`).split(/\s+/)
  // By code point: half of a surrogate pair is no letter.
  return names.map((name) => (name === '' ? '' : `${Array.from(name)[0]}.`)).join('')
}
