import { isJsonObject } from 'throughline/client'
import type { Json, JsonObject } from 'throughline'

/** Opening braces that are tried before a reply counts as one without JSON. */
const OPENINGS_MAX = 20

/** The first JSON object in a text. */
export function firstObject(text: string): JsonObject | undefined {
  let from = text.indexOf('{')
  for (let tried = 0; from >= 0 && tried < OPENINGS_MAX; tried++) {
    const object = parsed(text.slice(from, endOfObject(text, from)))
    if (object) return object
    from = text.indexOf('{', from + 1)
  }
  return undefined
}

/** Returns the index of the brace that closes the one at `from`, or the end of the text. */
function endOfObject(text: string, from: number): number {
  let depth = 0
  let inString = false
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (inString && letter === '\\') at++
    else if (letter === '"') inString = !inString
    else if (!inString && letter === '{') depth++
    else if (!inString && letter === '}' && --depth === 0) return at + 1
  }
  return text.length
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
