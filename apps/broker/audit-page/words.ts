import type { ChapterName } from '../audit/chapters.ts'
import type { OfferReply } from '../audit/offer-replies.ts'
import type { AnomalyCode } from '../audit/compliance.ts'
import type { ConsentAnswer } from '../audit/consent-answers.ts'
import type { Side } from '../audit/sides.ts'
import type { LoanOutcome } from '../case/loan-outcome.ts'
import type { CaseOutcomeKind, CaseStatus, ConsentType, WaterfallOutcome } from '../case/state.ts'

/** The audit page's texts about a case, apart from the sentences of records. */
export const WORDS = {
  customer: (initials: string) => `Customer ${initials}`,
  statuses: {
    intake: 'With the installer',
    awaiting_customer: 'Waiting for the customer',
    customer_active: 'With the customer',
    quote_ready: 'Quote ready',
    submitting: 'Being submitted',
    waterfall_running: 'With the lenders',
    awaiting_counter_decision: 'Counter-offer made',
    selected: 'Approved',
    declined: 'Declined',
    ineligible: 'Not eligible',
    withdrawn: 'Withdrawn',
    complete: 'Complete',
  } satisfies Record<CaseStatus, string>,
  outcomes: {
    loan_accepted: 'Loan accepted',
    no_loan: 'No loan',
  } satisfies Record<LoanOutcome, string>,
  sides: {
    customer: 'Customer',
    installer: 'Installer',
    broker: 'Broker',
  } satisfies Record<Side, string>,
  chapters: {
    project: 'The project',
    firm: 'Who we are',
    answers: 'Answers and choices',
    consent: 'Consent and sending',
    lenders: 'The lenders decide',
    offer: 'The offer',
  } satisfies Record<ChapterName, string>,
  file: {
    name: 'case file',
    loading: 'Reading the case file',
    failed: 'There is no case file: this thread is no case, or it could not be read.',
    record: 'Record',
    none: 'None',
  },
  state: 'Application as JSON',
  shown: {
    title: 'The text that this is about',
    open: (version: number) => `Read version ${version}`,
    loading: 'Reading the text',
    failed: 'This version of the text could not be read.',
    unnamed: 'The record names no version of the text.',
    name: 'Title',
    version: 'Version',
    recorded: 'Hash in the record',
    computed: 'Hash of this text',
    body: 'Text',
    same: 'This is the text that was shown: its hash is the recorded one.',
    other: 'This is not the text that was shown: its hash is another than the recorded one.',
    none: 'No hash was recorded, so this cannot be compared.',
    working: 'Computing the hash',
    unable: 'This browser computes hashes only on a page that was loaded over HTTPS.',
  },
  compliance: {
    title: 'Compliance',
    anomalies: 'To look at',
    moreRecords: (count: number) => `and ${count} more`,
    noAnomaly: 'Nothing stands out',
    anomaly: {
      vulnerability_not_probed: 'The customer was not asked about support',
      selected_with_unacknowledged_disclosure:
        'An offer was accepted before every disclosure was acknowledged',
      hasty_submission: 'The application was submitted less than 30 seconds after the consent',
      declined_without_steps: 'Declined, and no lender was asked',
      unbound_evidence:
        'An answer does not say which text it answers, so it does not prove what the customer saw',
      shared_browser:
        'The customer’s and the installer’s links were opened in the same browser, so one person may have acted for both',
    } satisfies Record<AnomalyCode, string>,
    demonstration: 'Demonstration',
    playedByOne: 'Yes, one person may play every part',
    disclosures: 'Disclosures acknowledged',
    of: (count: number, all: number) => `${count} of ${all}`,
    consents: 'Consents',
    explicit: (count: number) =>
      count === 0 ? 'None yet' : `${count}, each an explicit yes or no`,
    notExplicit: (count: number) => `${count}, not all of them an explicit yes or no`,
    support: 'Asked about support',
    /** `null`: the answer is hidden. */
    asked: (named: number | null) => {
      if (named === null) return 'Yes'
      return named === 0 ? 'Yes, nothing named' : `Yes, ${named} named`
    },
    notAsked: 'No',
    steps: 'Lenders’ answers',
    outcome: 'Outcome',
    outcomes: {
      selected: 'Loan accepted',
      declined: 'No loan: no lender offered one that the customer took',
      ineligible: 'No loan: the customer cannot apply',
      withdrawn: 'No loan: the customer withdrew',
      completed: 'No loan: the customer closed the case',
    } satisfies Record<CaseOutcomeKind, string>,
    open: 'None yet',
    session: 'First to last record',
    consentToSubmission: 'From consent to submission',
    unknown: 'Not yet known',
  },
  disclosures: {
    title: (count: number) => `Disclosures (${count})`,
    presented: 'Shown',
    acknowledged: 'Acknowledged',
    unacknowledged: 'Not acknowledged',
    read: 'Time to read',
    bound: 'Answer names this text',
    isBound: (bound: boolean | undefined) =>
      bound === undefined ? 'Not recorded' : bound ? 'Yes' : 'No',
    hash: 'Hash in the record',
    version: 'Version',
  },
  consents: {
    title: (count: number) => `Answers to consents (${count})`,
    answer: (granted: boolean) => (granted ? 'Granted' : 'Refused'),
    answers: {
      first: (answer: string) => answer,
      changed: (answer: string) => `Changed to: ${answer}`,
      repeated: (answer: string) => `${answer} again`,
    } satisfies Record<ConsentAnswer['change'], (answer: string) => string>,
    decision: 'Answer',
    at: 'Recorded',
    types: {
      credit_search: 'Credit search',
      data_sharing: 'Data sharing',
      marketing: 'Marketing',
    } satisfies Record<ConsentType, string>,
  },
  lenders: {
    title: (count: number) => `Lenders (${count})`,
    requested: 'Asked for',
    outcome: 'Answer',
    outcomes: {
      approved_as_requested: 'Approved as asked for',
      approved_with_counter: 'Counter-offer',
      declined: 'Declined',
      unavailable: 'No answer',
    } satisfies Record<WaterfallOutcome['kind'], string>,
    reason: 'Reason',
    offer: 'Offer',
    reply: 'Customer',
    replies: {
      accepted: 'Accepted this offer',
      refused: 'Turned this offer down',
    } satisfies Record<OfferReply, string>,
    terms: (terms: {
      readonly amount: string
      readonly months: number
      readonly apr: string
      readonly monthly: string
      readonly total: string
    }) =>
      `${terms.amount} over ${terms.months} months at ${terms.apr} APR: ${terms.monthly} a month, ${terms.total} in all`,
  },
  replay: {
    title: 'Replay of disclosures',
    what: 'Asks the model again, from before each disclosure was shown, whether it would show it. Nothing is recorded; each attempt is a call of the model.',
    runs: 'Attempts for each disclosure',
    start: 'Ask the model again',
    asking: 'Asking the model',
    failed: 'The replay did not finish.',
    passed: (passed: number, runs: number) => `${passed} of ${runs} would show it`,
    byTitle: (count: number) => `${count} of them named it only in words`,
    instead: 'Said instead',
    overall: 'All disclosures',
    rate: (rate: string, runs: number) => `${rate} of ${runs} attempts`,
  },
}
