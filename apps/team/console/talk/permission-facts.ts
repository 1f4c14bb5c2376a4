import { isJsonObject, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { WORDS } from '../words.ts'

/** The line of a call that runs one; undefined for another call, or one that was cut. */
export function commandOf({
  toolName,
  input,
}: {
  readonly toolName: string
  readonly input: string
}): string | undefined {
  const command = toolName === 'Bash' ? textOf(parsed(input) ?? null, 'command') : ''
  return command === '' ? undefined : command
}

/** What a call that runs a line is given beside it. */
export function besideCommand(input: string): ReturnType<typeof factsOf> {
  return factsOf(input).filter(({ name }) => name !== 'command')
}

/** Returns the members of a call's input by name. An input that was cut is shown as text. */
export function factsOf(
  input: string,
): readonly { readonly name: string; readonly value: string }[] {
  const whole = [{ name: WORDS.needsYou.input, value: input }]
  const read = parsed(input)
  if (read === undefined || !isJsonObject(read)) return whole
  const facts = Object.entries(read).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  return facts.length > 0 ? facts : whole
}

function parsed(input: string): Json | undefined {
  try {
    return JSON.parse(input) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
