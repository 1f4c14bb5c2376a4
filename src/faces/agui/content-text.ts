import type { ContentPart } from '@ag-ui/core'
import { filesIn } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'

/** The text of a message. Each text part is a block of its own, so parts become paragraphs. */
export function contentText(content: string | readonly ContentPart[]): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** A person's message after one more `TEXT_MESSAGE_CONTENT`: with files it has parts. */
export function contentOf(before: string | ContentPart[], data: Json): string | ContentPart[] {
  const text = contentText(before) + textOf(data, 'delta')
  const files = [...partsOf(before), ...filesIn(data)]
  if (files.length === 0) return text
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files]
}

function partsOf(content: string | readonly ContentPart[]): readonly ContentPart[] {
  return typeof content === 'string' ? [] : content.filter(({ type }) => type !== 'text')
}
