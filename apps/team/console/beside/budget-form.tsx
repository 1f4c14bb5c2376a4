import { useState } from 'react'
import { Button, TextField, inBackground } from '../../../kit/index.ts'
import { tell } from '../team-requests.ts'
import type { SessionBudget } from '../team-requests.ts'
import { WORDS } from '../words.ts'
import { budgetOf } from './budget.ts'
import styles from './usage.module.css'

/** The budget of the session, to which the server keeps, and a way to change it. */
export function Budget({ kept: { budget, percent } }: { readonly kept: SessionBudget }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const change = async (costUsd: number): Promise<void> => {
    const failed = await tell('/api/session/budget', { costUsd })
    setFault(failed)
    if (failed === undefined) setText('')
  }
  const submit = (): void => {
    const typed = budgetOf(text)
    if (typeof typed === 'number') inBackground(change(typed))
    else setFault(WORDS.usage.badBudget)
  }
  return (
    <div className={styles.budget}>
      {percent !== null && (
        <>
          <meter
            className={styles.meter}
            min={0}
            max={100}
            high={80}
            value={Math.min(100, percent)}
            aria-labelledby="budget-used"
          />
          <p id="budget-used" role="status" className={styles.meta}>
            {WORDS.usage.used(Math.floor(percent))}
          </p>
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          id="budget"
          label={WORDS.usage.budget}
          kind="decimal"
          sign="$"
          value={text}
          onChange={setText}
          {...(budget.costUsd !== null && { hint: WORDS.usage.now(String(budget.costUsd)) })}
          {...(fault !== undefined && { error: fault })}
        />
        <Button look="quiet" type="submit">
          {WORDS.usage.change}
        </Button>
      </form>
    </div>
  )
}
