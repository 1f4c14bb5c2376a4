import { creditSearchConsent, isAcknowledged, missingDetails } from '../case/gates.ts'
import type { CaseView } from './case-view.ts'
import type { CardName } from './current-card.ts'
import { SHELL_WORDS } from './shell-words.ts'

/** A question or a text that the customer answers once, in the order of the journey. */
export const ANSWERED_PLACES = [
  'service_status',
  'eligibility',
  'quote',
  'email',
  'details',
  'support',
  'consent',
  'summary',
] as const
export type AnsweredPlace = (typeof ANSWERED_PLACES)[number]

/** The places of the journey. */
export type JourneyPlace = 'handoff' | AnsweredPlace | 'decision' | 'end'

/** The eight steps that the page counts. */
export const STEP_NAMES = [
  SHELL_WORDS.steps.about,
  SHELL_WORDS.steps.eligibility,
  SHELL_WORDS.steps.payments,
  SHELL_WORDS.steps.details,
  SHELL_WORDS.steps.support,
  SHELL_WORDS.steps.consent,
  SHELL_WORDS.steps.summary,
  SHELL_WORDS.steps.decision,
]

const STEP_OF: Readonly<Record<Exclude<JourneyPlace, 'end'>, number>> = {
  handoff: 1,
  service_status: 1,
  eligibility: 2,
  quote: 3,
  email: 3,
  details: 4,
  support: 5,
  consent: 6,
  summary: 7,
  decision: 8,
}

/** The step that a place belongs to, counted from 1; none after the end. */
export function stepOf(place: JourneyPlace): number | undefined {
  return place === 'end' ? undefined : STEP_OF[place]
}

const PLACE_OF: Readonly<Record<CardName, JourneyPlace>> = {
  handoff: 'handoff',
  'disclosure:service_status': 'service_status',
  eligibility: 'eligibility',
  quote: 'quote',
  email: 'email',
  details: 'details',
  vulnerability: 'support',
  'disclosure:credit_search_consent': 'consent',
  consent_refused: 'consent',
  'disclosure:pre_contract_summary': 'summary',
  submit: 'summary',
  waterfall: 'decision',
  counter: 'decision',
  accept: 'decision',
  complete: 'decision',
  declined: 'decision',
  ineligible: 'end',
  withdrawn: 'end',
  finished: 'decision',
}

export function placeOf(card: CardName): JourneyPlace {
  return PLACE_OF[card]
}

/** When each place was answered, as an ISO time; the places without an answer are absent. */
export function answeredTimes(view: CaseView): ReadonlyMap<AnsweredPlace, string> {
  return new Map(
    ANSWERED_PLACES.flatMap((place) => {
      const at = ANSWERED_AT[place](view)
      return at === undefined ? [] : [[place, at] as const]
    }),
  )
}

const ANSWERED_AT: Readonly<Record<AnsweredPlace, (view: CaseView) => string | undefined>> = {
  service_status: (view) => acknowledgedAt(view, 'service_status'),
  eligibility: ({ eligibility }) => eligibility?.capturedAt,
  quote: ({ provisionalQuote }) => provisionalQuote?.capturedAt,
  email: ({ emailPreference }) => emailPreference?.capturedAt,
  // The case does not say when each of its facts was given.
  details: (view) => (missingDetails(view).length === 0 ? '' : undefined),
  support: ({ financial }) => financial.vulnerabilityCapturedAt,
  consent: (view) => creditSearchConsent(view)?.capturedAt,
  summary: (view) => acknowledgedAt(view, 'pre_contract_summary'),
}

function acknowledgedAt(
  view: CaseView,
  id: 'service_status' | 'pre_contract_summary',
): string | undefined {
  if (!isAcknowledged(view, id)) return undefined
  return view.disclosures.find((record) => record.id === id)?.acknowledgedAt
}
