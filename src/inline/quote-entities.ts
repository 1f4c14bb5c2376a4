import type { JsonObject } from './json-dialects.ts'

const ENTITY = /&(?:#0{0,5}(\d{2,4})|#x0{0,5}([\da-f]{2,4})|(apos|quot|lsquo|rsquo|ldquo|rdquo));/gi

const NAMED: Readonly<Record<string, string>> = {
  apos: "'",
  quot: '"',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}
const QUOTES = new Set(Object.values(NAMED))

/** Replaces the HTML entities of quotes in the strings of an object that was written as JSON text. */
export function decodeQuotes(data: JsonObject, json: string): JsonObject {
  // Their values are JSON, as the object's are.
  return json.includes('&') ? (decoded(data) as JsonObject) : data
}

function decoded(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(ENTITY, quoteOf)
  if (Array.isArray(value)) return value.map(decoded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, decoded(held)]))
}

function quoteOf(entity: string, ...spelt: readonly (string | undefined)[]): string {
  const [digits, hex, name] = spelt
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
  const quote = String.fromCharCode(code)
  return QUOTES.has(quote) ? quote : entity
}
