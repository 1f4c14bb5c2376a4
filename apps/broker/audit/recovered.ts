import { textOf } from 'throughline'
import type { Json, LogRecord } from 'throughline'
import { z } from 'zod'
import { brokerState } from '../case/case-schema.ts'
import type { CaseState, DisclosureRecord } from '../case/state.ts'

/** A fact of a recovery seed, as the event that recorded it where it happened. */
export interface RecoveredFact {
  readonly type: string
  readonly data: Json
  /** ISO-8601, in UTC. */
  readonly at: string
}

/**
 * The facts of a hydrated case whose times its seed holds, oldest first. Details of the project, the
 * person and their finances are in the case without a time, so they are not among them. Pure.
 */
export function recoveredFacts({ data }: Pick<LogRecord, 'data'>): readonly RecoveredFact[] {
  const held = recoverable.safeParse(data)
  if (!held.success) return []
  const { case: state, demonstration } = held.data
  const submittedAt = textOf(data, 'submittedAt')
  const { eligibility, provisionalQuote, emailPreference, waterfall } = state
  const { vulnerabilityCapturedAt: asked, vulnerabilityIndicators: indicators = [] } =
    state.financial
  const opened = demonstration ? { demonstration } : {}
  const facts = [
    dated('case_created', { retailerName: state.retailerName, ...opened }, state.createdAt),
    ...state.disclosures.flatMap(({ id, version, contentHash, bound, ...shown }) => [
      ...dated('present_disclosure', { id, version, contentHash }, shown.presentedAt),
      ...dated('acknowledge_disclosure', { id, bound }, shown.acknowledgedAt),
    ]),
    dated('record_eligibility', { ...eligibility }, eligibility?.capturedAt),
    dated('record_provisional_quote', { ...provisionalQuote }, provisionalQuote?.capturedAt),
    dated('record_email_preference', { ...emailPreference }, emailPreference?.capturedAt),
    dated('record_vulnerability_indicators', { indicators }, asked),
    ...state.consents.map(({ type: consentType, granted, bound, capturedAt }) =>
      dated('capture_consent', { consentType, granted, bound }, capturedAt),
    ),
    dated('submit_application', {}, submittedAt === '' ? undefined : submittedAt),
    dated('waterfall_recorded', { result: { ...waterfall } }, waterfall?.updatedAt),
    outcomeIn(state),
  ]
  return facts.flat().toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

const caseHeld = brokerState.shape.case

/** A case in a seed, as far as facts are read off it: a reader may not see its personal data. */
const recoverable = brokerState.extend({
  case: caseHeld.extend({
    contact: z.unknown(),
    personal: z.unknown(),
    financial: z.looseObject({
      vulnerabilityCapturedAt: z.string().exactOptional(),
      vulnerabilityIndicators: z.json().exactOptional(),
    }),
    eligibility: z.object({ capturedAt: z.string() }).catchall(z.json()).exactOptional(),
  }),
})
type Recoverable = z.infer<typeof recoverable>

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['selected', 'select_offer'],
  ['withdrawn', 'withdraw'],
  ['completed', 'case_complete'],
])

/** Other outcomes follow from facts that are listed already. */
function outcomeIn({ caseOutcome }: Recoverable['case']): readonly RecoveredFact[] {
  const type = OUTCOMES.get(caseOutcome?.kind ?? '')
  return type === undefined ? [] : dated(type, { ...caseOutcome }, caseOutcome?.recordedAt)
}

function dated(type: string, data: Json, at: string | undefined): readonly RecoveredFact[] {
  return at === undefined ? [] : [{ type, data, at }]
}

/**
 * A case as it was when a disclosure was about to be shown, as far as the times in it tell. Details
 * without a time stay. Facts of the same time led to the disclosure, so they stay too. Pure.
 */
export function caseBeforeShowing(state: CaseState, id: string, at: string): CaseState {
  const isBefore = (time: string | undefined): boolean =>
    time !== undefined && Date.parse(time) <= Date.parse(at)
  const capturedBefore = <Fact extends { readonly capturedAt: string }>(fact: Fact | undefined) =>
    isBefore(fact?.capturedAt) ? fact : undefined
  const { eligibility, provisionalQuote, emailPreference, ...rest } = beforeLenders(state)
  const { vulnerabilityCapturedAt: asked, ...financial } = state.financial
  const known = {
    eligibility: capturedBefore(eligibility),
    provisionalQuote: capturedBefore(provisionalQuote),
    emailPreference: capturedBefore(emailPreference),
  }
  return {
    ...rest,
    status: known.eligibility ? 'quote_ready' : 'awaiting_customer',
    financial: isBefore(asked) ? state.financial : financial,
    disclosures: state.disclosures
      .filter((shown) => shown.id !== id && isBefore(shown.presentedAt))
      .map((shown) => (isBefore(shown.acknowledgedAt) ? shown : unanswered(shown))),
    consents: state.consents.filter(({ capturedAt }) => isBefore(capturedAt)),
    ...definedIn(known),
  }
}

function unanswered({ acknowledgedAt: _at, bound: _bound, ...shown }: DisclosureRecord) {
  return shown
}

/** Every disclosure is shown before a lender is asked. */
function beforeLenders({
  waterfall: _waterfall,
  selectedOfferId: _offer,
  caseOutcome: _outcome,
  ...state
}: CaseState) {
  return state
}

type Defined<Members> = { readonly [Name in keyof Members]?: NonNullable<Members[Name]> }

function definedIn<Members extends object>(members: Members): Defined<Members> {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined)
  // The same names with the same values, but for those that are undefined.
  return Object.fromEntries(defined) as Defined<Members>
}
