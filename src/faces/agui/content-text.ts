import type { ContentPart } from '@ag-ui/core'

/** The text of a message. Each text part is a block of its own, so parts become paragraphs. */
export function contentText(content: string | readonly ContentPart[]): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
