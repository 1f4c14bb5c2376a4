import { neutralise } from 'throughline'
import { startOf } from 'throughline/client'

/** Names are the only words of other people in a prompt. */
const NAME_IN_PROMPT_MAX = 60

/** A name in the form that a prompt may hold: one line, no tag, bounded. */
export function nameForPrompt(name: string): string {
  const line = neutralise(name).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  return startOf(line.trim(), NAME_IN_PROMPT_MAX)
}

/** Lines such as `CURRENT_GATE: eligibility`, which a program can read as well as a model. */
export function writeLines(lines: Readonly<Record<string, string>>): string {
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** The first line counts: what follows may quote. */
export function readLine(prompt: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(prompt)?.[1] ?? ''
}

export function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ')
}

export function readList(prompt: string, name: string): readonly string[] {
  return readLine(prompt, name)
    .split(', ')
    .filter((id) => id !== '' && id !== 'none')
}
