import type { BrokerState } from './case-domain.ts'
import { lenderProgress } from './lender-progress.ts'
import type { LenderProgress } from './lender-progress.ts'
import type { CaseState, WaterfallOutcome, WaterfallResult, WaterfallStep } from './state.ts'

export type CaseRole = 'installer' | 'customer' | 'auditor' | 'operator'

/** The members of a case that an installer's page may see. */
export type InstallerCase = Pick<
  CaseState,
  | 'sessionId'
  | 'retailerName'
  | 'status'
  | 'project'
  | 'contact'
  | 'installerHandoffComplete'
  | 'createdAt'
  | 'updatedAt'
>

/** The case without what lenders gave as their reasons, and how far asking them is. */
export type CustomerCase = Omit<CaseState, 'waterfall'> & {
  readonly demonstration?: true
  readonly waterfall?: CustomerWaterfall
  /** Since the application was sent; cases of older logs do not have these two. */
  readonly submittedAt?: string
  readonly lenders?: readonly LenderProgress[]
}
export type CustomerWaterfall = Omit<WaterfallResult, 'steps'> & {
  readonly steps: readonly CustomerStep[]
}
type CustomerStep = Omit<WaterfallStep, 'outcome'> & { readonly outcome: CustomerOutcome }
type CustomerOutcome = WithoutReason<WaterfallOutcome>
type WithoutReason<Outcome> = Outcome extends unknown ? Omit<Outcome, 'reason'> : never

export type CaseViews = {
  readonly installer: InstallerCase
  readonly customer: CustomerCase
  readonly auditor: CaseState
  readonly operator: CaseState
}

const VIEWS: { readonly [Role in CaseRole]: (state: BrokerState) => CaseViews[Role] } = {
  installer: installerCase,
  customer: customerCase,
  auditor: (state) => state.case,
  operator: (state) => state.case,
}

/** Gives the case as a role may see it. */
export function caseView<Role extends CaseRole>(state: BrokerState, role: Role): CaseViews[Role] {
  return VIEWS[role](state)
}

// Named one by one: a new member of a case stays hidden until it is added here.
function installerCase({ case: state }: BrokerState): InstallerCase {
  return {
    sessionId: state.sessionId,
    retailerName: state.retailerName,
    status: state.status,
    project: state.project,
    contact: state.contact,
    installerHandoffComplete: state.installerHandoffComplete,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
  }
}

function customerCase({ case: held, demonstration, submission }: BrokerState): CustomerCase {
  const { waterfall, ...state } = held
  return {
    ...state,
    ...(demonstration && { demonstration }),
    ...(waterfall && { waterfall: withoutReasons(waterfall) }),
    ...(submission && {
      submittedAt: submission.submittedAt,
      lenders: lenderProgress(held, submission),
    }),
  }
}

export function withoutReasons(waterfall: WaterfallResult): CustomerWaterfall {
  return { ...waterfall, steps: waterfall.steps.map(stepWithoutReason) }
}

function stepWithoutReason({ outcome, ...step }: WaterfallStep): CustomerStep {
  switch (outcome.kind) {
    case 'approved_as_requested':
    case 'approved_with_counter':
      return { ...step, outcome: { kind: outcome.kind, offer: outcome.offer } }
    case 'declined':
    case 'unavailable':
      return { ...step, outcome: { kind: outcome.kind } }
  }
}
