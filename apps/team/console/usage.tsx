import { useState } from 'react'
import { EmptyState, SummaryList, TextField, number } from '../../kit/index.ts'
import { budgetOf } from './budget.ts'
import styles from './team.module.css'
import { isScriptedSession } from './team-view.ts'
import type { LiveTeam } from './use-team.ts'
import { WORDS } from './words.ts'

const BUDGET_KEY = 'team-budget'

/** Shows the team's usage and a budget that this browser stores. A script has no usage. */
export function Usage({ team }: { readonly team: LiveTeam }) {
  const { usage, session } = team.view
  const usedModel = usage.inputTokens + usage.outputTokens > 0
  const isScripted = session ? isScriptedSession(session) : team.isScripted
  const spent = [
    {
      name: WORDS.usage.tokens,
      value: `${number(usage.inputTokens)} · ${number(usage.outputTokens)}`,
    },
    { name: WORDS.usage.cost, value: dollars(usage.costUsd) },
  ]
  return (
    <section className={styles.section} aria-labelledby="usage-heading">
      <h2 id="usage-heading">{WORDS.usage.heading}</h2>
      {usage.turns === 0 ? (
        <EmptyState>{WORDS.usage.none}</EmptyState>
      ) : (
        <SummaryList
          rows={[
            { name: WORDS.usage.turns, value: number(usage.turns) },
            ...(usedModel ? spent : []),
          ]}
        />
      )}
      {isScripted && usage.turns > 0 && <p className={styles.soft}>{WORDS.usage.scripted}</p>}
      {(usedModel || !isScripted) && <Budget costUsd={usage.costUsd} />}
    </section>
  )
}

function Budget({ costUsd }: { readonly costUsd: number }) {
  const [text, setText] = useState(() => localStorage.getItem(BUDGET_KEY) ?? '')
  const budget = budgetOf(text)
  const change = (given: string): void => {
    if (budgetOf(given) !== 'invalid') localStorage.setItem(BUDGET_KEY, given.trim())
    setText(given)
  }
  const share = typeof budget === 'number' ? costUsd / budget : undefined
  return (
    <>
      <TextField
        id="budget"
        label={WORDS.usage.budget}
        kind="decimal"
        sign="$"
        value={text}
        onChange={change}
        {...(budget === 'invalid' ? { error: WORDS.usage.badBudget } : {})}
      />
      {share !== undefined && (
        <>
          <meter
            className={styles.meter}
            min={0}
            max={1}
            value={Math.min(1, share)}
            aria-labelledby="budget-used"
          />
          <p id="budget-used" role="status" className={styles.soft}>
            {share >= 1 ? WORDS.usage.over : WORDS.usage.left(`${Math.round(share * 100)}%`)}
          </p>
        </>
      )}
    </>
  )
}

function dollars(amount: number): string {
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 4,
  }).format(amount)
}
