import { REDACTED } from 'throughline/client'

/** Stands in sentences and texts where the server redacted what was said. */
export const HIDDEN = 'Hidden'

/** Whether a text holds nothing but what the server redacted, in one part or in several. */
export function isRedacted(text: string): boolean {
  return text !== '' && text.replaceAll(REDACTED, '') === ''
}

/** A sentence as people read it where its record was redacted. */
export function withoutMarker(sentence: string): string {
  return sentence.replaceAll(REDACTED, HIDDEN)
}
