import type { ModelMessage } from 'throughline'

/** The most characters that the scripted narrator reads, newest kept: its patterns are slow. */
const SAID_LENGTH_MAX = 4_000

export interface Heard {
  /** The server's notes since the narrator's last reply. */
  readonly notes: readonly string[]
  /** The person's message since then; empty when only notes came. */
  readonly said: string
  /** The person's earlier messages, oldest first. */
  readonly earlier: readonly string[]
}

/** Takes the messages of a prompt apart into notes and people's text. */
export function lastHeard(messages: readonly ModelMessage[]): Heard {
  const [last = '', ...before] = messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .toReversed()
  const { notes, said } = takeApart(last)
  return { notes, said: said.slice(-SAID_LENGTH_MAX).trim(), earlier: newest(before) }
}

function takeApart(text: string): Omit<Heard, 'earlier'> {
  const paragraphs = text.split('\n\n').map((paragraph) => paragraph.trim())
  const isNote = (paragraph: string) => /^\[.*\]$/.test(paragraph)
  const said = paragraphs.filter((paragraph) => !isNote(paragraph)).join('\n')
  return { notes: paragraphs.filter(isNote), said }
}

/** Returns the newest texts that fit the limit, oldest first; its input has the newest first. */
function newest(texts: readonly string[]): readonly string[] {
  let room = SAID_LENGTH_MAX
  const said = texts.map((text) => takeApart(text).said).filter((text) => text !== '')
  const until = said.findIndex((text) => (room -= text.length) < 0)
  return said.slice(0, until < 0 ? said.length : until).toReversed()
}
