import { membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'

/** The sentence for a kind of record. */
export type Sentence = string | ((data: Json) => string)

export interface Telling {
  readonly sentence: Sentence
  /** Its kind in a list of what mattered: the type of the record, unless it is given. */
  readonly kind?: string
}

/** Sentences for records, by type, or by name for `CUSTOM` records. */
export type Tellings = Readonly<Record<string, Telling>>

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

export function listOf(data: Json, member: string): readonly Json[] {
  const list = membersOf(data)[member]
  return Array.isArray(list) ? list : []
}

export function quoted(text: string): string {
  return `“${text.trim()}”`
}

export function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
