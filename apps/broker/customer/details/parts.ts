import type { FieldError } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import type { DetailsDraft } from './draft.ts'
import { draftOf, isComplete } from './draft.ts'
import { WORDS } from './words.ts'

/** The form is asked for in parts, then shown as a whole. */
export const PARTS = ['about', 'home', 'money'] as const
export type FormPart = (typeof PARTS)[number]
export type FormStep = FormPart | 'check'
const PLACES: readonly FormStep[] = [...PARTS, 'check']

const PART_OF: Readonly<Record<keyof DetailsDraft, FormPart>> = {
  fullName: 'about',
  birthDay: 'about',
  birthMonth: 'about',
  birthYear: 'about',
  mobile: 'about',
  postcode: 'home',
  addressLine1: 'home',
  addressLine2: 'home',
  town: 'home',
  county: 'home',
  propertyType: 'home',
  residentialStatus: 'home',
  employmentStatus: 'money',
  annualIncome: 'money',
  monthlyOutgoings: 'money',
  existingCommitments: 'money',
}

/** The part that asks for a field; none for a name that is no field. */
export function partOf(field: string): FormPart | undefined {
  return Object.entries(PART_OF).find(([name]) => name === field)?.[1]
}

/** The errors of one part of the form. */
export function errorsIn(part: FormStep, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ field }) => partOf(field) === part)
}

/** The errors of the home as its fields are shown: an address that is yet to be found is one error. Pure. */
export function homeErrors(
  errors: readonly FieldError[],
  shown: 'postcode' | 'list' | 'fields',
): readonly FieldError[] {
  if (shown === 'fields') return errors
  const left = errors.filter(({ field }) => field !== 'addressLine1' && field !== 'town')
  if (left.length === errors.length || left.some(({ field }) => field === 'postcode')) return left
  const field = shown === 'list' ? 'address' : 'postcode'
  return [...left, { field, message: WORDS.fields.address.missing }]
}

/** The customer's position in the form. */
export interface Position {
  readonly place: FormStep
  /** A customer who came from the check page returns to it. */
  readonly from: 'form' | 'check'
  /** The field that they want to change. */
  readonly field?: string
}

/**
 * Returns the position after a part without errors: the next part, or the check page if the customer
 * came from it. The check page is shown only when no part has an error. Pure.
 */
export function positionAfter({ place, from }: Position, errors: readonly FieldError[]): Position {
  const next = PARTS.find((_, index) => index > 0 && PARTS[index - 1] === place)
  if (from === 'form' && next) return { place: next, from }
  const wrong = PARTS.find((part) => errorsIn(part, errors).length > 0)
  return wrong ? { place: wrong, from } : { place: 'check', from: 'form' }
}

/** The check page, or the first part with an error in its place. Pure. */
export function checkPosition(errors: readonly FieldError[]): Position {
  return positionAfter({ place: 'money', from: 'form' }, errors)
}

/** All parts and the check page, counted from 1. */
export function countOf(place: FormStep): { readonly part: number; readonly of: number } {
  return { part: PLACES.indexOf(place) + 1, of: PLACES.length }
}

/** The form as a reload finds it: the typed answers and the customer's place. */
export type KeptForm = DetailsDraft & Readonly<Record<'place' | 'from', string>>

/** The form as it is first opened; one that was sent before opens at its check page. */
export function firstForm(view: CaseView): KeptForm {
  return { ...draftOf(view), place: isComplete(view) ? 'check' : 'about', from: 'form' }
}

/** Returns the opening position of a form: the field to be changed, or the last position. */
export function positionIn({ place, from }: KeptForm, field?: string): Position {
  const part = field === undefined ? undefined : partOf(field)
  if (field !== undefined && part) return { place: part, from: 'check', field }
  return {
    place: PLACES.find((each) => each === place) ?? 'about',
    from: from === 'check' ? 'check' : 'form',
  }
}
