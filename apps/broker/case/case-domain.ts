import { defineDomain } from 'throughline'
import type { Fact, Moment } from 'throughline'
import type { DemoScenario } from '../lenders/index.ts'
import type { CaseState } from './state.ts'

/** The folded state of a broker's thread. Pages and lenders get `case` alone. */
export type BrokerState = {
  readonly case: CaseState
  readonly scenario: DemoScenario
  readonly depositSaidAs?: DepositSaidAs
  /** One person plays every part of the case, to see how it works. */
  readonly demonstration?: true
  /** Since the application was sent; cases of older logs do not have it. */
  readonly submission?: Submission
}

export type Submission = {
  readonly submittedAt: string
  /** The names of the panel's lenders, in the order in which they are asked. */
  readonly lenders: readonly string[]
}

/** Which of the deposit's two figures was said: the other follows from it and from the value. */
export const DEPOSIT_SAID_AS = ['amount', 'share'] as const
export type DepositSaidAs = (typeof DEPOSIT_SAID_AS)[number]

export const broker = defineDomain<BrokerState>()

/** Before `case_created`: no session has an empty id. */
export const NO_CASE: BrokerState = {
  case: {
    sessionId: '',
    retailerName: '',
    status: 'intake',
    project: {},
    contact: {},
    personal: {},
    financial: {},
    disclosures: [],
    consents: [],
    installerHandoffComplete: false,
    createdAt: '',
    updatedAt: '',
  },
  scenario: 'auto',
}

export function isoTime({ ts }: Pick<Fact | Moment, 'ts'>): string {
  return new Date(ts).toISOString()
}

/** Puts changes into the case. `updatedAt` moves only when something is different afterwards. */
export function changeCase(
  state: BrokerState,
  changes: Partial<CaseState>,
  fact: Pick<Fact, 'ts'>,
): BrokerState {
  const changed = { ...state.case, ...changes }
  // A case is a few kilobytes, and spreading keeps the order of its keys.
  if (JSON.stringify(changed) === JSON.stringify(state.case)) return state
  return { ...state, case: { ...changed, updatedAt: isoTime(fact) } }
}
