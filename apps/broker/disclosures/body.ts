/** The only two things a disclosure's text is made of; everything in them is plain text. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }

const BLOCK_GAP = '\n\n'
const ITEM = '- '

/** Reads a body into blocks to show; text outside a list is a paragraph, so none is ever lost. */
export function readBody(body: string): readonly Block[] {
  return body.split(BLOCK_GAP).map(readBlock)
}

function readBlock(text: string): Block {
  const lines = text.split('\n')
  if (!lines.every((line) => line.startsWith(ITEM))) return { kind: 'paragraph', text }
  return { kind: 'list', items: lines.map((line) => line.slice(ITEM.length)) }
}

/** Writes a body from text that is indented and wrapped as source is: a blank line ends a block. */
export function writeBody(source: string): string {
  return source
    .trim()
    .split(/\n\s*\n/)
    .map(unwrap)
    .join(BLOCK_GAP)
}

function unwrap(block: string): string {
  return block.trim().replaceAll(/\n\s*(- )?/g, (_, item?: string) => (item ? `\n${ITEM}` : ' '))
}
