import type { Json, Wait } from 'throughline/client'
import { membersOf, visibleJson } from 'throughline/client'
import { asJson, jsonText } from './json-text.ts'

/** Returns a call's arguments by name, every character visible, for tools without an approval text. */
export function argumentsOf({
  arguments: text,
}: Pick<Wait, 'arguments'>): readonly { readonly label: string; readonly value: string }[] {
  // The engine asks for approval only of arguments that it could read.
  const given = membersOf(JSON.parse(shownJson(text)) as Json)
  return Object.entries(given).map(([name, value = null]) => ({
    label: name.replaceAll('_', ' '),
    value: typeof value === 'string' ? value : jsonText(value),
  }))
}

/** Returns a call's arguments as JSON in which every character is visible. */
export function shownJson(text: string): string {
  return visibleJson(JSON.stringify(asJson(text)))
}
