import type { FieldError } from '../../../kit/index.ts'
import { normalisePostcode } from '../../addresses/postcode.ts'
import { INCOME_POUNDS_MAX } from '../../case/limits.ts'
import { normaliseMobile } from '../../case/mobile.ts'
import type { DetailsDraft } from './draft.ts'
import { WORDS } from './words.ts'

const ADULT_YEARS = 18
const AGE_YEARS_MAX = 120

/** The faults of the form, in its order. */
export function checkDraft(draft: DetailsDraft, today: Date): readonly FieldError[] {
  const { fields } = WORDS
  const problems: readonly (readonly [field: keyof DetailsDraft, message: string | undefined])[] = [
    ['fullName', missing(draft.fullName, fields.fullName)],
    ['birthDay', birthProblem(draft, today)],
    ['mobile', normaliseMobile(draft.mobile) ? undefined : fields.mobile.missing],
    ['postcode', normalisePostcode(draft.postcode) ? undefined : fields.postcode.missing],
    ['addressLine1', missing(draft.addressLine1, fields.addressLine1)],
    ['town', missing(draft.town, fields.town)],
    ['employmentStatus', missing(draft.employmentStatus, fields.employmentStatus)],
    ['annualIncome', amountProblem(draft.annualIncome, fields.annualIncome)],
    ['monthlyOutgoings', amountProblem(draft.monthlyOutgoings, fields.monthlyOutgoings)],
  ]
  return problems.flatMap(([field, message]) => (message ? [{ field, message }] : []))
}

interface Missing {
  readonly missing: string
}

function missing(value: string, field: Missing): string | undefined {
  return value.trim() === '' ? field.missing : undefined
}

function amountProblem(text: string, field: Missing): string | undefined {
  return pounds(text) === undefined ? field.missing : undefined
}

/** An amount as people write it: with a pound sign, commas and pence, or without. */
export function pounds(text: string): number | undefined {
  const plain = text.replaceAll(/[£,\s]/g, '')
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return undefined
  const amount = Number(plain)
  return amount <= INCOME_POUNDS_MAX ? amount : undefined
}

function birthProblem(draft: DetailsDraft, today: Date): string | undefined {
  const words = WORDS.fields.dateOfBirth
  const typed = [draft.birthDay, draft.birthMonth, draft.birthYear].map((part) => part.trim())
  if (typed.every((part) => part === '')) return words.missing
  if (typed.includes('')) return words.incomplete
  if (/^\d{1,3}$/.test(typed[2] ?? '')) return words.shortYear
  const born = birthDate(draft)
  if (born === undefined) return words.unreal
  const age = yearsBetween(born, today.toISOString().slice(0, 10))
  if (age > AGE_YEARS_MAX || age < 0) return words.unreal
  return age < ADULT_YEARS ? words.young : undefined
}

/** The date as YYYY-MM-DD; nothing for a day that no calendar has. */
export function birthDate(draft: DetailsDraft): string | undefined {
  const [year, month, day] = [draft.birthYear, draft.birthMonth, draft.birthDay].map((part) =>
    part.trim(),
  )
  if (!/^\d{4} \d{1,2} \d{1,2}$/.test(`${year} ${month} ${day}`)) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1) return undefined
  return date.toISOString().slice(0, 10)
}

function yearsBetween(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4))
  return today.slice(5) < born.slice(5) ? years - 1 : years
}
