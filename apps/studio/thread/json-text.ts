import type { Json } from 'throughline/client'

/** A value for people to read: text as it is, JSON between its lines. */
export function jsonText(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  const parsed = asJson(value)
  return typeof parsed === 'object' && parsed !== null ? JSON.stringify(parsed, null, 2) : value
}

/** Parses a typed text as JSON, or returns the text. */
export function asJson(text: string): Json {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
