import type { Document } from '../documents/index.ts'

/** A document as a line of a transcript; nothing for one that is no message, or was cut off and said again. */
export function transcriptLine(document: Document): string | undefined {
  if (document.type !== 'message' || document.text.trim() === '') return undefined
  if (document.role === 'assistant' && document.turn === 'cut_off') return undefined
  return escapeText(`[${document.speakerType} — ${document.speakerName}]: ${document.text}`)
}

/** A text that closes no tag around it. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
