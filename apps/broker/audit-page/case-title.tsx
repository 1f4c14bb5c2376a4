import { loanOutcome } from '../case/loan-outcome.ts'
import type { CaseState } from '../case/state.ts'
import { Tag } from '../../kit/index.ts'
import type { PaneProps } from '../../studio/index.ts'
import { caseFileIn } from './case-file.ts'
import styles from './panes.module.css'
import { useTellActs } from './use-tell-acts.ts'
import { WORDS } from './words.ts'

/** Initials only, and none before a reveal: a page that is open on a desk shows no name. */
export function CaseTitle({ file, story }: PaneProps) {
  useTellActs(story)
  const state = caseFileIn(file)?.state
  if (!state) return null
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
