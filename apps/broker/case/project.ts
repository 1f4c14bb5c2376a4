import type { DepositSaidAs } from './case-domain.ts'
import type { ProjectFacts } from './state.ts'

/** Which of the deposit's figures counts: the amount, when a message has both. */
export function depositSaidIn({
  depositAmount,
  depositPct,
}: ProjectFacts): DepositSaidAs | undefined {
  if (depositAmount !== undefined) return 'amount'
  return depositPct === undefined ? undefined : 'share'
}

/**
 * Merges new facts into the project and works out the figures that follow.
 *
 * Of the deposit's amount and its share the one said last counts; said together, the amount. It stays
 * when only the value changes, and the other one follows. Where it is not known which one was said
 * before, an amount that is known stays.
 */
export function mergeProject(
  before: ProjectFacts,
  said: ProjectFacts,
  saidBefore?: DepositSaidAs,
): ProjectFacts {
  const merged = { ...before, ...said }
  const saidNow = depositSaidIn(said)
  const deposit = settleDeposit({
    value: merged.projectValue,
    amount: (saidNow ?? saidBefore) === 'share' ? undefined : merged.depositAmount,
    pct: saidNow === 'amount' ? said.depositPct : merged.depositPct,
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
