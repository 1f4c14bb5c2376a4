import { textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { isCommandPattern } from './command-patterns.ts'
import { isPlainInput } from './permission-rules.ts'
import { plainCommands } from './plain-commands.ts'

/** A rule of `allow`, as `tool(pattern)`, that names one command and no other. */
export interface ExactRule {
  readonly tool: string
  readonly pattern: string
}

/**
 * The rule that allows a call again, and no other call: its command, word by word.
 *
 * @returns nothing where no rule says just that: for another tool than Bash, several commands, or words that a
 * pattern cannot hold or would read as more than themselves
 */
export function exactRule(toolName: string, input: Json): ExactRule | undefined {
  if (toolName !== 'Bash' || !isPlainInput(input)) return undefined
  const [command, ...others] = plainCommands(textOf(input, 'command')) ?? []
  if (!command || others.length > 0) return undefined
  const pattern = command.join(' ')
  const isExact = !pattern.includes('*') && isCommandPattern(pattern)
  return isExact && isWordByWord(command) ? { tool: toolName, pattern } : undefined
}

/** A pattern parts its words by blanks: a word with one, or an empty word, would be read as others. */
function isWordByWord(command: readonly string[]): boolean {
  return command.every((word) => /^\S+$/.test(word))
}
