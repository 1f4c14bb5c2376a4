import type { ModelMessage } from 'throughline/agents'

/** The most of what was written that the scripted narrator reads, newest kept: its patterns are slow. */
const SAID_LENGTH_MAX = 4_000

export interface Heard {
  /** What the server noted since the narrator last spoke. */
  readonly notes: readonly string[]
  /** What the person wrote since then; empty when only notes came. */
  readonly said: string
}

/** Takes the last message of a prompt apart into what was noted and what was written. */
export function lastHeard(messages: readonly ModelMessage[]): Heard {
  const last = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const paragraphs = last.split('\n\n').map((paragraph) => paragraph.trim())
  const isNote = (paragraph: string) => /^\[.*\]$/.test(paragraph)
  const said = paragraphs.filter((paragraph) => !isNote(paragraph)).join('\n')
  return { notes: paragraphs.filter(isNote), said: said.slice(-SAID_LENGTH_MAX).trim() }
}
