import { membersOf, textOf } from 'throughline/json'
import type { Json } from 'throughline/json'

/** How a kind of record reads. */
export type Sentence = string | ((data: Json) => string)

export function said(sentence: Sentence, data: Json): string {
  return typeof sentence === 'string' ? sentence : sentence(data)
}

/** A name of the log in the words of people. */
export function inWords(name: string): string {
  return name
    .replace('throughline.', '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

export function wordsOf(data: Json, member: string): string {
  return inWords(textOf(data, member))
}

/** Members that people know by another name. */
const MEMBER_WORDS: ReadonlyMap<string, string> = new Map([
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

export function listOf(data: Json, member: string): readonly Json[] {
  const list = membersOf(data)[member]
  return Array.isArray(list) ? list : []
}

export function quoted(text: string): string {
  return `“${text.trim()}”`
}
