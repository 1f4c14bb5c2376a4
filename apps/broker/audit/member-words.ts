import { membersOf } from 'throughline'
import type { Json } from 'throughline'
import { inWords } from '../../studio/story/index.ts'

/** Members that people know by another name. */
export const MEMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ['projectValue', 'price'],
  ['depositPct', 'deposit'],
  ['depositAmount', 'deposit'],
  ['netLoanAmount', 'loan'],
  ['productSpec', 'system'],
  ['systemKwp', 'panels'],
  ['batteryKwh', 'battery'],
  ['termMonths', 'term'],
  ['indicativeAprPct', 'APR'],
  ['addressLine1', 'address'],
  ['isOver18', '18 or over'],
  ['isUkResident', 'lives in the UK'],
  ['isHomeowner', 'owns the home'],
  ['isEmployed', 'has work'],
  ['wantsEmailCopy', 'wants an email copy'],
  ['bound', 'names the text'],
  ['contentHash', 'hash of the text'],
])

/** The names of facts, without the facts: the record has them. */
export function named(data: Json): string {
  return Object.keys(membersOf(data)).map(memberInWords).join(', ')
}

export function memberInWords(member: string): string {
  return MEMBER_WORDS.get(member) ?? inWords(member)
}
