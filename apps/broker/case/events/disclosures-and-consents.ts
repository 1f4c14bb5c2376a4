import type { Moment, Refusal } from 'throughline'
import { z } from 'zod'
import { DISCLOSURE_IDS } from '../../disclosures/index.ts'
import type { DisclosureRegistry } from '../../disclosures/index.ts'
import { CUSTOMER_MODEL, CUSTOMER_PAGE, RULE } from '../authority.ts'
import { broker, changeCase, isoTime } from '../case-domain.ts'
import {
  creditSearchConsent,
  isCreditSearchGranted,
  missingBeforeDisclosure,
  presented,
} from '../gates.ts'
import { REFERENCE_LENGTH_MAX } from '../limits.ts'
import { refuse, refuseLocked, refuseOnceSubmitted } from '../refusals.ts'
import { CONSENT_TYPES } from '../state.ts'
import type { CaseState, DisclosureRecord } from '../state.ts'

const VERSION_MAX = 10_000

const disclosureId = z.enum(DISCLOSURE_IDS)
// Compared, not trusted: another text's hash must be told from one that is malformed.
const contentHash = z.string().min(1).max(REFERENCE_LENGTH_MAX)

const presentation = z.object({
  id: disclosureId,
  version: z.int().min(1).max(VERSION_MAX).exactOptional(),
})

/** A text as it was presented; `record` is the id of the record that presented it. */
type ShownText = Pick<DisclosureRecord, 'id' | 'version' | 'contentHash' | 'record'>

export function presentDisclosure(registry: DisclosureRegistry) {
  return broker.event({
    schema: presentation,
    by: [CUSTOMER_MODEL, CUSTOMER_PAGE, RULE],
    guard: ({ case: state }, { id, version }, at) => {
      const closed = refuseLocked(state) ?? refusePresentation(state, id)
      if (closed) return closed
      const current = registry.current(id, isoTime(at))
      if (!current) return refuse('precondition', `No version of "${id}" is in force`)
      if (version === undefined || version === current.version) return undefined
      return refuse('precondition', `Version ${version} of "${id}" is not the one in force`)
    },
    complete: ({ id }, _, at): ShownText => {
      const current = registry.current(id, isoTime(at))
      const text = current && { version: current.version, contentHash: current.contentHash }
      return { id, ...text, record: at.id }
    },
    reduce: (state, shown, fact) => {
      const record: DisclosureRecord = { ...shown, presentedAt: isoTime(fact) }
      return changeCase(state, { disclosures: [...state.case.disclosures, record] }, fact)
    },
  })
}

function refusePresentation(state: CaseState, id: z.output<typeof disclosureId>) {
  if (presented(state, id)) return refuse('precondition', `"${id}" has already been presented`)
  const missing = missingBeforeDisclosure(state, id)
  return missing === undefined
    ? undefined
    : refuse('precondition', `It is too early for "${id}": ${missing}`)
}

/** Events of one model call are decided at one moment: no person has read the texts in them yet. */
function wasShownBefore(shown: DisclosureRecord | undefined, at: Moment): boolean {
  return shown !== undefined && shown.presentedAt < isoTime(at)
}

export const evidenceEvents = {
  acknowledge_disclosure: broker.event({
    schema: z.object({ id: disclosureId, contentHash: contentHash.exactOptional() }),
    by: [
      CUSTOMER_PAGE,
      // The grant itself names the text that was shown; a rule only records its consequence.
      {
        ...RULE,
        when: ({ case: state }, { id }) =>
          id === 'credit_search_consent' && isCreditSearchGranted(state),
      },
      {
        ...CUSTOMER_MODEL,
        when: ({ case: state }, { id }, at) =>
          at.typed && id === 'service_status' && wasShownBefore(presented(state, id), at),
      },
    ],
    guard: ({ case: state }, { id, contentHash: hash }, at) => {
      const record = presented(state, id)
      if (!record) return refuse('precondition', `"${id}" has not been presented`)
      const mismatch = refuseOtherText(record, hash)
      if (mismatch || record.acknowledgedAt !== undefined) return mismatch
      if (id === 'credit_search_consent' && at.origin.source !== 'rule') {
        return refuse('precondition', `"${id}" is answered by granting or refusing the consent`)
      }
      return refuseLocked(state)
    },
    complete: (data, { case: state }, at) => {
      const shown = shownText(presented(state, data.id))
      return { ...data, ...shown, ...boundBy(data.contentHash, state, at) }
    },
    reduce: (state, { id, bound }, fact) => {
      const answer = { acknowledgedAt: isoTime(fact), ...(bound !== undefined && { bound }) }
      const disclosures = state.case.disclosures.map((record) =>
        record.id === id && record.acknowledgedAt === undefined ? { ...record, ...answer } : record,
      )
      const starts = id === 'service_status' && state.case.status === 'awaiting_customer'
      const status = starts ? 'customer_active' : state.case.status
      return changeCase(state, { disclosures, status }, fact)
    },
  }),
  capture_consent: broker.event({
    schema: z.object({
      consentType: z.enum(CONSENT_TYPES),
      granted: z.boolean(),
      contentHash: contentHash.exactOptional(),
    }),
    by: [CUSTOMER_PAGE],
    guard: ({ case: state }, { consentType, contentHash: hash }) =>
      refuseLocked(state) ??
      (consentType === 'credit_search'
        ? refuseCreditSearch(state, hash)
        : refuseOtherText(undefined, hash)),
    complete: (data, { case: state }, at) => {
      const bound = boundBy(data.contentHash, state, at)
      if (data.consentType !== 'credit_search') return { ...data, ...bound }
      return { ...data, ...shownText(presented(state, 'credit_search_consent')), ...bound }
    },
    reduce: (state, { consentType: type, granted, bound }, fact) => {
      const { consents } = state.case
      if (consents.some((consent) => consent.type === type && consent.granted === granted)) {
        return state
      }
      const others = consents.filter((consent) => consent.type !== type)
      const capturedAt = isoTime(fact)
      const consent = { type, granted, capturedAt, ...(bound !== undefined && { bound }) }
      return changeCase(state, { consents: [...others, consent] }, fact)
    },
  }),
}

function refuseCreditSearch(state: CaseState, hash: string | undefined): Refusal | undefined {
  const record = presented(state, 'credit_search_consent')
  if (!record) return refuse('precondition', '"credit_search_consent" has not been presented')
  return refuseOnceSubmitted(state) ?? refuseOtherText(record, hash)
}

function refuseOtherText(
  record: DisclosureRecord | undefined,
  hash: string | undefined,
): Refusal | undefined {
  if (hash === undefined || hash === record?.contentHash) return undefined
  return refuse('evidence_mismatch', 'The text that was answered is not the one that was presented')
}

/** Returns the record's members about the presented text; the caller's are ignored. */
function shownText(shown: DisclosureRecord | undefined) {
  const { version = null, contentHash: hash = null, record = null } = shown ?? {}
  return { presented: { version, contentHash: hash, record } }
}

/**
 * Whether the answer named the text that the person saw. Only a person's page can: a rule's
 * acknowledgement is as bound as the grant that it follows from. Older records do not say.
 */
function boundBy(
  hash: string | undefined,
  state: CaseState,
  { origin }: Moment,
): { readonly bound?: boolean } {
  if (origin.source !== 'rule') return { bound: origin.source === 'ui' && hash !== undefined }
  const bound = creditSearchConsent(state)?.bound
  return bound === undefined ? {} : { bound }
}
