import type { Wait } from 'throughline/activity'
import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import { jsonText } from './json-text.ts'

/** What a call was made with, each value by its name: read where its tool has no words of its own. */
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
