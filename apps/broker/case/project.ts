import type { ProjectFacts } from './state.ts'

/**
 * Merges what was said about the project and works out what follows from it.
 *
 * Of the deposit's amount and its share the one said last counts; said together, the amount. When
 * only the value changes, an amount that is known stays.
 */
export function mergeProject(before: ProjectFacts, said: ProjectFacts): ProjectFacts {
  const merged = { ...before, ...said }
  const saidOnlyPct = said.depositPct !== undefined && said.depositAmount === undefined
  const saidOnlyAmount = said.depositAmount !== undefined && said.depositPct === undefined
  const deposit = settleDeposit({
    value: merged.projectValue,
    amount: saidOnlyPct ? undefined : merged.depositAmount,
    pct: saidOnlyAmount ? undefined : merged.depositPct,
  })
  return { ...withoutDeposit(merged), ...deposit }
}

function withoutDeposit({
  depositAmount: _amount,
  depositPct: _pct,
  netLoanAmount: _net,
  ...rest
}: ProjectFacts): ProjectFacts {
  return rest
}

interface Deposit {
  readonly value: number | undefined
  readonly amount: number | undefined
  readonly pct: number | undefined
}

function settleDeposit({ value, amount, pct }: Deposit): ProjectFacts {
  if (value === undefined) {
    return {
      ...(amount !== undefined && { depositAmount: amount }),
      ...(pct !== undefined && { depositPct: pct }),
    }
  }
  const ofShare = pct === undefined ? undefined : toPence((value * pct) / 100)
  const depositAmount = amount ?? ofShare
  if (depositAmount === undefined) return {}
  // A share that gives this amount is kept as it was said: worked back it could differ by rounding.
  const said = ofShare === depositAmount ? pct : undefined
  return {
    depositAmount,
    depositPct: said ?? (value === 0 ? 0 : toPence((depositAmount / value) * 100)),
    netLoanAmount: toPence(value - depositAmount),
  }
}

function toPence(amount: number): number {
  return Math.round(amount * 100) / 100
}
