import type { IconNode } from 'lucide'

/** An entry of the command palette: opens a page, or acts on this one. */
export interface Command {
  /** Commands of one group stand together, below its name. */
  readonly group: string
  readonly label: string
  /** A drawing of lucide before the label. */
  readonly icon: IconNode
  readonly hint?: string
  readonly run: () => void
}

export interface CommandGroup {
  readonly name: string
  readonly commands: readonly Command[]
}

export interface FoundCommands {
  readonly groups: readonly CommandGroup[]
  /** The number of matching commands, shown or not. */
  readonly count: number
}

/** Commands of one group that are shown at once; more words find the others. */
export const GROUP_COMMANDS_MAX = 8

/** The commands that contain every word of a text, in groups; a group's earliest match comes first. */
export function findCommands(commands: readonly Command[], text: string): FoundCommands {
  const words = wordsIn(text)
  const groups = new Map<string, { readonly command: Command; readonly at: number }[]>()
  let count = 0
  for (const command of commands) {
    const at = matchAt(command, words)
    if (at === -1) continue
    const group = groups.get(command.group) ?? []
    group.push({ command, at })
    groups.set(command.group, group)
    count++
  }
  return {
    groups: Array.from(groups, ([name, found]) => ({
      name,
      commands: found
        .toSorted((one, other) => one.at - other.at)
        .slice(0, GROUP_COMMANDS_MAX)
        .map(({ command }) => command),
    })),
    count,
  }
}

/** Returns the index of the first word; -1 if a word is missing. */
function matchAt({ label, hint = '' }: Command, words: readonly string[]): number {
  const text = `${label} ${hint}`.toLowerCase()
  return words.every((word) => text.includes(word)) ? text.indexOf(words[0] ?? '') : -1
}

const wordsIn = (text: string): readonly string[] => text.trim().toLowerCase().split(/\s+/)

export interface LabelPart {
  readonly text: string
  readonly kind: 'matching' | 'other'
}

/** Cuts a label where the words that a person typed begin and end in it. Pure. */
export function labelParts(label: string, typed: string): readonly LabelPart[] {
  const lower = label.toLowerCase()
  const words = wordsIn(typed).filter((word) => word !== '')
  // A few letters change their length with their case, so that the places would not fit.
  if (words.length === 0 || lower.length !== label.length) return [{ text: label, kind: 'other' }]
  const matching = new Set<number>()
  for (const word of words) {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      for (let place = at; place < at + word.length; place++) matching.add(place)
    }
  }
  const isCut = (at: number): boolean => matching.has(at) !== matching.has(at - 1)
  const cuts = Array.from({ length: label.length }, (_, at) => at).filter(
    (at) => at === 0 || isCut(at),
  )
  return cuts.map((at, index) => ({
    text: label.slice(at, cuts[index + 1]),
    kind: matching.has(at) ? 'matching' : 'other',
  }))
}
