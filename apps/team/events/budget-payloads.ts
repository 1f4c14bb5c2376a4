import { z } from 'zod'

/** The largest budget of a session, in US dollars and in tokens. */
export const BUDGET_USD_MAX = 1_000_000
export const BUDGET_TOKENS_MAX = 1_000_000_000_000
/** How much of a budget is spent when people are told of it, in percent; messages wait at the last. */
export const LEVELS = [80, 100] as const

const costUsd = z.number().positive().max(BUDGET_USD_MAX).nullable()
const tokens = z.number().int().positive().max(BUDGET_TOKENS_MAX).nullable()

/** A budget as a person gives it: null for none, and what is left out stays as it is. */
export const budgetGiven = z.strictObject({
  costUsd: costUsd.optional(),
  tokens: tokens.optional(),
})

/** What a session may spend from now on. */
export const budgetSet = z.strictObject({ costUsd, tokens })

/** A session has spent so much of its budget. */
export const budgetSpent = z.strictObject({
  percent: z.literal(LEVELS),
  costUsd: z.number().nonnegative(),
  tokens: z.number().int().nonnegative(),
  /** For a person. */
  message: z.string(),
})

export type BudgetGiven = z.output<typeof budgetGiven>
export type Budget = z.output<typeof budgetSet>
export type BudgetSpent = z.output<typeof budgetSpent>
