import type { CaseState } from '../broker/case/state.ts'
import { ActorLegend } from './actor-legend.tsx'
import styles from './studio.module.css'
import { VerifyBadge } from './verify-badge.tsx'
import { WORDS } from './words.ts'

export interface AuditHeaderProps {
  readonly thread: string
  readonly status: string
  /** None for a thread that is no case. */
  readonly state: CaseState | undefined
}

export function AuditHeader({ thread, status, state }: AuditHeaderProps) {
  return (
    <header className={styles.header}>
      <h1>{WORDS.title}</h1>
      {state && <CaseName state={state} />}
      <span className={styles.id}>{WORDS.thread(thread)}</span>
      <span role="status">{status === 'live' ? WORDS.tail.live : WORDS.tail.paused}</span>
      <VerifyBadge thread={thread} />
      <ActorLegend />
    </header>
  )
}

/** Initials only: a page that is open on a desk names nobody. */
function CaseName({ state }: { readonly state: CaseState }) {
  const initials = initialsOf(state)
  return (
    <>
      {initials !== '' && <strong>{WORDS.customer(initials)}</strong>}
      <span>{state.retailerName}</span>
      <span>{WORDS.statuses[state.status]}</span>
    </>
  )
}

function initialsOf({ personal, contact }: CaseState): string {
  const { firstName = '', lastName = '' } = contact
  const names = (personal.fullName ?? `${firstName} ${lastName}`).split(/\s+/)
  // By code point: half of a surrogate pair is no letter.
  return names.map((name) => (name === '' ? '' : `${Array.from(name)[0]}.`)).join('')
}
