import type { DocumentHead, DocumentStore, Message, MessageHead } from '../documents/index.ts'

/** Messages of a transcript, the newest. */
export const TRANSCRIPT_LINES_MAX = 40

/** Where prompts read documents. */
export type ToldDocuments = Pick<DocumentStore, 'heads' | 'whole'>

/** Whether a document is a line of a transcript: a message with a text, which was not cut off and said again. */
export function isSaid(document: DocumentHead): document is MessageHead {
  if (document.type !== 'message' || !document.hasText) return false
  return document.role === 'user' || document.turn !== 'cut_off'
}

/** The newest lines of a transcript. */
export async function transcriptLines(
  said: readonly MessageHead[],
  documents: ToldDocuments,
): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const document of documents.whole(said.slice(-TRANSCRIPT_LINES_MAX))) {
    if (document.type === 'message') lines.push(lineOf(document))
  }
  return lines
}

function lineOf({ speakerType, speakerName, text }: Message): string {
  return escapeText(`[${speakerType} — ${speakerName}]: ${text}`)
}

/** A text that closes no tag around it. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
