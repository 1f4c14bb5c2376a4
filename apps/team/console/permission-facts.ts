import { isJsonObject } from 'throughline/client'
import type { Json } from 'throughline/client'
import { WORDS } from './words.ts'

/** Returns the members of a call's input by name. An input that was cut is shown as text. */
export function factsOf(
  input: string,
): readonly { readonly name: string; readonly value: string }[] {
  const whole = [{ name: WORDS.needsYou.input, value: input }]
  try {
    const read = JSON.parse(input) as Json
    if (!isJsonObject(read)) return whole
    const facts = Object.entries(read).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    }))
    return facts.length > 0 ? facts : whole
  } catch (error) {
    if (error instanceof SyntaxError) return whole
    throw error
  }
}
