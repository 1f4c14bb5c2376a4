import type { Wait } from 'throughline/activity'
import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import { jsonText } from './json-text.ts'

/** Returns a call's arguments by name, for tools without an approval text. */
export function argumentsOf({
  arguments: text,
}: Pick<Wait, 'arguments'>): readonly { readonly label: string; readonly value: string }[] {
  // The engine asks for approval only of arguments that it could read.
  const given = membersOf(JSON.parse(text) as Json)
  return Object.entries(given).map(([name, value = null]) => ({
    label: name.replaceAll('_', ' '),
    value: typeof value === 'string' ? value : jsonText(value),
  }))
}
