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
  return isExact && isWordByWord(command, pattern) ? { tool: toolName, pattern } : undefined
}

/** A word with a blank in it, or an empty one, would be read as other words. */
function isWordByWord(command: readonly string[], pattern: string): boolean {
  return pattern.split(/ +/).length === command.length
}
