import { missingDetails } from '../../case/gates.ts'
import type { CaseView } from '../case-view.ts'

/** The form as typed: text in every field, so that nothing a person writes is lost. */
export const EMPTY_DRAFT = {
  fullName: '',
  birthDay: '',
  birthMonth: '',
  birthYear: '',
  mobile: '',
  postcode: '',
  addressLine1: '',
  addressLine2: '',
  town: '',
  county: '',
  propertyType: '',
  residentialStatus: '',
  employmentStatus: '',
  annualIncome: '',
  monthlyOutgoings: '',
  existingCommitments: '',
}
export type DetailsDraft = Readonly<typeof EMPTY_DRAFT>

/** Fills the draft from the case. Half a name is left out, because it would be sent as the full name. */
export function draftOf(view: CaseView): DetailsDraft {
  const { personal, contact } = view
  const [birthYear = '', birthMonth = '', birthDay = ''] = (personal.dateOfBirth ?? '').split('-')
  const { firstName, lastName } = contact
  const known = firstName && lastName ? `${firstName} ${lastName}` : ''
  const { fullName = known } = personal
  const { mobile = '' } = contact
  return { fullName, birthDay, birthMonth, birthYear, mobile, ...homeOf(view), ...moneyOf(view) }
}

function homeOf({ personal }: CaseView) {
  const { postcode = '', addressLine1 = '', addressLine2 = '', town = '', county = '' } = personal
  const { propertyType = '', residentialStatus = '' } = personal
  return { postcode, addressLine1, addressLine2, town, county, propertyType, residentialStatus }
}

function moneyOf({ financial }: CaseView) {
  const { employmentStatus = '', existingCommitments = '' } = financial
  const { annualIncome = '', monthlyOutgoings = '' } = financial
  return {
    employmentStatus,
    annualIncome: `${annualIncome}`,
    monthlyOutgoings: `${monthlyOutgoings}`,
    existingCommitments,
  }
}

/** Whether the form was sent before, so that it is being changed now. */
export function isComplete(view: CaseView): boolean {
  return missingDetails(view).length === 0
}
