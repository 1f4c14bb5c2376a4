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

/** Members whose names are short forms. */
const MEMBER_WORDS: Readonly<Record<string, string>> = {
  depositPct: 'deposit %',
  productSpec: 'product',
}

/** Which facts there are, without the facts: they stand in the record. */
export function named(data: Json): string {
  return Object.keys(membersOf(data)).map(memberInWords).join(', ')
}

function memberInWords(member: string): string {
  const words = Object.hasOwn(MEMBER_WORDS, member) ? MEMBER_WORDS[member] : undefined
  return words ?? inWords(member)
}

export function listOf(data: Json, member: string): readonly Json[] {
  const list = membersOf(data)[member]
  return Array.isArray(list) ? list : []
}

export function quoted(text: string): string {
  return `“${text.trim()}”`
}
