/** The members of a record, for every reader; a side gets neither of the hashes. */
export const RECORD = ['seq', 'id', 'thread', 'ts', 'type', 'data', 'origin', 'v', 'prev', 'hash']
/** Where a record comes from, as far as a side may know. */
export const ORIGIN = ['source', 'surface', 'depth', 'run', 'rule']
/** The members that an event of the callers' view has beside its own. */
export const CALLER = ['agent', 'depth', 'path', 'run', 'turn', 'seq', 'ts', 'type']

const NOTHING: readonly string[] = []
const MESSAGE = {
  TEXT_MESSAGE_START: ['messageId', 'role'],
  TEXT_MESSAGE_CONTENT: ['messageId', 'delta'],
  TEXT_MESSAGE_END: ['messageId'],
  RUN_STARTED: ['threadId', 'runId'],
  RUN_FINISHED: ['threadId', 'runId'],
  RUN_ERROR: ['message'],
}
const CONTACT = ['firstName', 'lastName', 'email', 'mobile']
const PROJECT = [
  'projectValue',
  'depositAmount',
  'depositPct',
  'productSpec',
  'systemKwp',
  'batteryKwh',
  'retailerName',
]
const SHOWN = ['presented.version', 'presented.contentHash', 'presented.record', 'bound']
const QUOTE = [
  'amount',
  'termMonths',
  'indicativeAprPct',
  'monthlyPayment',
  'totalPayable',
  'capturedAt',
]
const OFFER = [
  'id',
  'lender',
  'position',
  'productCode',
  'aprPct',
  'termMonths',
  'monthlyPayment',
  'totalPayable',
  'netLoanAmount',
]

/**
 * The allowed data of a record that a side reads: the paths of its members, by type. A type
 * that is not here may not be there. Written down by hand, from what the pages show.
 */
export const MAY_READ: Readonly<Record<Side, Readonly<Record<string, readonly string[]>>>> = {
  installer: {
    ...MESSAGE,
    case_created: NOTHING,
    record_project_facts: PROJECT,
    record_customer_contact: CONTACT,
    generate_customer_link: NOTHING,
    installer_handoff_complete: NOTHING,
    record_eligibility: NOTHING,
    record_personal_facts: NOTHING,
    record_financial_facts: NOTHING,
    acknowledge_disclosure: NOTHING,
    submit_application: NOTHING,
    accept_counter_offer: NOTHING,
    refuse_counter_offer: NOTHING,
    select_offer: NOTHING,
    withdraw: NOTHING,
    waterfall_recorded: NOTHING,
    case_outcome: NOTHING,
    case_complete: NOTHING,
  },
  customer: {
    ...MESSAGE,
    case_created: NOTHING,
    record_project_facts: PROJECT,
    record_customer_contact: CONTACT,
    generate_customer_link: NOTHING,
    installer_handoff_complete: NOTHING,
    record_eligibility: ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'],
    record_provisional_quote: QUOTE,
    record_email_preference: ['wantsEmailCopy', 'email'],
    record_personal_facts: [
      'fullName',
      'dateOfBirth',
      'postcode',
      'addressLine1',
      'addressLine2',
      'town',
      'county',
      'propertyType',
      'residentialStatus',
    ],
    record_financial_facts: [
      'employmentStatus',
      'annualIncome',
      'monthlyOutgoings',
      'existingCommitments',
    ],
    record_vulnerability_indicators: ['indicators[]', 'note'],
    present_disclosure: ['id', 'version', 'contentHash', 'record'],
    acknowledge_disclosure: ['id', ...SHOWN],
    capture_consent: ['consentType', 'granted', ...SHOWN],
    submit_application: ['lenders[]'],
    waterfall_recorded: [
      ...QUOTE.map((name) => `result.requestedQuote.${name}`),
      'result.steps[].lender',
      'result.steps[].position',
      'result.steps[].askedAt',
      'result.steps[].answeredAt',
      'result.steps[].outcome.kind',
      ...OFFER.map((name) => `result.steps[].outcome.offer.${name}`),
      ...OFFER.map((name) => `result.acceptedOffer.${name}`),
      'result.awaitingCounterDecision',
      'result.exhausted',
      'result.updatedAt',
    ],
    accept_counter_offer: ['offerId'],
    refuse_counter_offer: ['offerId'],
    select_offer: ['offerId'],
    withdraw: ['reason'],
    case_outcome: ['kind', 'offerId', 'reason'],
    case_complete: NOTHING,
  },
}

/** The same for the events of the callers' view; `event` holds a domain event under its own name. */
export const MAY_READ_AS_CALLER: Readonly<Record<string, readonly string[]>> = {
  prompt_started: ['content'],
  chat_output: ['delta', 'messageId'],
  turn_end: ['reason', 'result'],
  event: ['name', 'data'],
}

export type Side = 'installer' | 'customer'

/** The paths of all that a value holds; of an empty object or list, none. */
export function pathsIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, `${at}[]`))
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, each]) =>
    pathsIn(each, at === '' ? name : `${at}.${name}`),
  )
}
