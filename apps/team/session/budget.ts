import { percentSpent, withBudget } from '../events/index.ts'
import type { Budget, SessionBudget, TeamState } from '../events/index.ts'
import type { Act } from './act.ts'

const UNLIMITED: Budget = { costUsd: null, tokens: null }

/** The act that gives a new session its budget, if it has one; a session that goes on keeps its own. */
export function budgetOf(
  { starting, resumable }: TeamState,
  session: string,
  usual: Budget = UNLIMITED,
): readonly Act[] {
  if (resumable?.id === session) return []
  const data = withBudget(starting?.budget ?? {}, usual)
  return data.costUsd === null && data.tokens === null ? [] : [{ type: 'budget_set', data }]
}

/** A session's budget as pages get it. */
export function shownBudget(session: SessionBudget) {
  const { budget, spent } = session
  return { budget, spent, percent: percentSpent(session) }
}
