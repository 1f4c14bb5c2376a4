/** Half of a character, as `JSON.stringify` writes it; an escaped backslash is skipped. */
const HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g

/** Returns a value as JSON for another program: U+FFFD replaces half a character, which many cannot read. */
export function wellFormedJson(value: object): string {
  return JSON.stringify(value).replaceAll(HALF, (found) => (found === '\\\\' ? found : '\uFFFD'))
}
