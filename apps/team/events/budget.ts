import { LEVELS } from './budget-payloads.ts'
import type { Budget, BudgetGiven, BudgetSpent } from './budget-payloads.ts'
import type { Payload } from './payloads.ts'

export interface SessionBudget {
  readonly budget: Budget
  /** Since the session began, whatever has ended meanwhile. */
  readonly spent: { readonly costUsd: number; readonly tokens: number }
  /** The level that people were told of last. */
  readonly told: 0 | (typeof LEVELS)[number]
}

export const NO_BUDGET: SessionBudget = {
  budget: { costUsd: null, tokens: null },
  spent: { costUsd: 0, tokens: 0 },
  told: 0,
}

/** The first budget with what another one leaves out. */
export function withBudget(given: BudgetGiven, { costUsd, tokens }: Budget): Budget {
  const { costUsd: givenUsd = costUsd, tokens: givenTokens = tokens } = given
  return { costUsd: givenUsd, tokens: givenTokens }
}

export function setBudget(session: SessionBudget, budget: Budget): SessionBudget {
  const changed = { ...session, budget }
  const level = levelOf(changed)
  return { ...changed, told: level < session.told ? level : session.told }
}

export function spend(
  session: SessionBudget,
  { costUsd, usage }: Pick<Payload<'claude_result'>, 'costUsd' | 'usage'>,
): SessionBudget {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = usage
  const used = inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens
  const { spent } = session
  return {
    ...session,
    spent: { costUsd: spent.costUsd + (costUsd ?? 0), tokens: spent.tokens + used },
  }
}

/** How much of the budget is spent, in whole percent of the amount that is nearer to its end; null without one. */
export function percentSpent({ budget, spent }: SessionBudget): number | null {
  const shares = [
    ...(budget.costUsd === null ? [] : [spent.costUsd / budget.costUsd]),
    ...(budget.tokens === null ? [] : [spent.tokens / budget.tokens]),
  ]
  // Sums of cents fall short of what they mean by less than this.
  return shares.length === 0 ? null : Math.floor(Math.max(...shares) * 100 + 1e-6)
}

/** Whether no further turn may begin. */
export function isSpent(session: SessionBudget): boolean {
  return levelOf(session) === 100
}

/** What people are told next of a budget. */
export function budgetNews(session: SessionBudget): readonly BudgetSpent[] {
  const percent = levelOf(session)
  if (percent === 0 || percent <= session.told) return []
  const amounts = amountsOf(session).join(' and ')
  const message =
    percent === 100
      ? `The budget of the session is spent (${amounts}): messages wait until you raise it or end the session`
      : `The session has spent ${amounts}`
  return [{ percent, ...session.spent, message }]
}

function levelOf(session: SessionBudget): SessionBudget['told'] {
  const percent = percentSpent(session) ?? 0
  return LEVELS.findLast((level) => percent >= level) ?? 0
}

function amountsOf({ budget, spent }: SessionBudget): readonly string[] {
  const { costUsd, tokens } = budget
  return [
    ...(costUsd === null ? [] : [`$${spent.costUsd.toFixed(2)} of $${costUsd.toFixed(2)}`]),
    ...(tokens === null ? [] : [`${countOf(spent.tokens)} of ${countOf(tokens)} tokens`]),
  ]
}

function countOf(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
