/** A piece of a reply: plain words, or a link to our help page. */
export interface ReplyPiece {
  readonly text: string
  readonly href?: string
}

/** No other address is drawn as a link: a model may have written it. */
const HELP_LINK = /\[([^[\]\n]{1,120})\]\((\/help#[a-z0-9-]{1,60})\)/g

/** The beginning of a link, where a reply ends for now. */
const BEGUN_LINK = /\[([^[\]\n]{0,120})(?:\](?:\([^()\s]{0,70})?)?$/

/** A reply that is still being written, with the words alone of a link that is not whole. Pure. */
export function withoutBegunLink(reply: string): string {
  return reply.replace(BEGUN_LINK, '$1')
}

/** Splits a reply at its links to the help page. Pure. */
export function helpLinksIn(reply: string): readonly ReplyPiece[] {
  const pieces: ReplyPiece[] = []
  let from = 0
  for (const { 0: whole, 1: text = '', 2: href = '', index } of reply.matchAll(HELP_LINK)) {
    if (index > from) pieces.push({ text: reply.slice(from, index) })
    pieces.push({ text, href })
    from = index + whole.length
  }
  return from < reply.length ? [...pieces, { text: reply.slice(from) }] : pieces
}

/** The reply as it reads without its links. Pure. */
export function withoutLinks(reply: string): string {
  return reply.replaceAll(HELP_LINK, '$1')
}
