import type { DirectEvent } from '../../../kit/index.ts'
import { normalisePostcode } from '../../addresses/postcode.ts'
import { normaliseMobile } from '../../case/mobile.ts'
import type { CaseView } from '../case-view.ts'
import { birthDate, pounds } from './check-draft.ts'
import type { DetailsDraft } from './draft.ts'

/** Returns the events of the whole form as one batch; they omit empty fields. */
export function detailsEvents(draft: DetailsDraft, view: CaseView): readonly DirectEvent[] {
  const mobile = normaliseMobile(draft.mobile)
  const contact: DirectEvent = { type: 'record_customer_contact', data: { mobile } }
  return [
    { type: 'record_personal_facts', data: given({ ...personal(draft) }) },
    { type: 'record_financial_facts', data: given({ ...financial(draft) }) },
    ...(mobile === view.contact.mobile ? [] : [contact]),
  ]
}

function personal(draft: DetailsDraft) {
  const { fullName, addressLine1, addressLine2, town, county } = draft
  const { propertyType, residentialStatus } = draft
  return {
    fullName,
    dateOfBirth: birthDate(draft),
    postcode: normalisePostcode(draft.postcode),
    addressLine1,
    addressLine2,
    town,
    county,
    propertyType,
    residentialStatus,
  }
}

function financial(draft: DetailsDraft) {
  return {
    employmentStatus: draft.employmentStatus,
    annualIncome: pounds(draft.annualIncome),
    monthlyOutgoings: pounds(draft.monthlyOutgoings),
    existingCommitments: draft.existingCommitments,
  }
}

type Value = string | number | undefined

function given(fields: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const trimmed = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const,
  )
  return Object.fromEntries(trimmed.filter(([, value]) => value !== undefined && value !== ''))
}
