import { startOf } from 'throughline/client'
import type { Told } from './told.ts'
import { whoOf } from './who.ts'

/** One reason for a record, and the record that it names, if it names one. */
export interface Reason {
  readonly words: string
  readonly seq?: number
}

/** The words of a message that a reason quotes. */
const QUOTED_MAX = 120

/**
 * Returns the reasons for a record: its possible emitters, its rule, its causing record and its turn.
 * `rules` explains rules by their number. Pure.
 */
export function reasonsFor(
  told: Told,
  story: readonly Told[],
  rules: ReadonlyMap<string, string> = new Map(),
): readonly Reason[] {
  const { origin } = told.record
  const words = rules.get(origin.rule ?? '') ?? bySource(told)
  const first = words === undefined ? [] : [{ words }]
  return [...first, ...causeOf(told, story), ...turnOf(told, story)]
}

function bySource({ by, kind, weight, record }: Told): string | undefined {
  const who = whoOf(by)
  if (record.type === 'event_refused') return `${who} asked for this, and it was not allowed.`
  if (weight === 'background') return undefined
  if (kind === 'message') return `${who} wrote this. Words alone change nothing.`
  switch (by.source) {
    case 'ui':
      return by.isPage
        ? `${who} recorded this by itself, without a press of a button.`
        : `${who} did this on their own page.`
    case 'rule':
      return `${who} followed from what was recorded before.`
    case 'system':
      return 'The server recorded this. No person and no model asked for it.'
    case 'model':
    case 'process':
    case 'remote':
      return `${who} proposed this, and the rules allowed it.`
  }
}

function causeOf({ record }: Told, story: readonly Told[]): readonly Reason[] {
  const { cause } = record.origin
  const found = cause === undefined ? undefined : story.find((each) => each.record.id === cause)
  if (!found) return []
  const { seq } = found.record
  return [{ words: `It follows from record ${seq}: ${quoted(found.sentences.join(' '))}`, seq }]
}

function turnOf({ record }: Told, story: readonly Told[]): readonly Reason[] {
  const turn = record.origin.turn ?? record.origin.run
  if (turn === undefined) return []
  const asked = story.find(
    (each) =>
      each.kind === 'message' &&
      each.record.origin.source === 'ui' &&
      (each.record.origin.turn ?? each.record.origin.run) === turn,
  )
  if (!asked || asked.record.seq >= record.seq) return []
  const { seq } = asked.record
  const said = quoted(asked.whole ?? asked.sentences.join(' '))
  return [
    { words: `The turn answered record ${seq}, in which ${whoOf(asked.by)} wrote ${said}`, seq },
  ]
}

function quoted(text: string): string {
  return `“${text.length > QUOTED_MAX ? `${startOf(text, QUOTED_MAX)}…` : text}”`
}
