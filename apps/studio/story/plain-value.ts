import { REDACTED } from 'throughline/client'
import type { Json } from 'throughline/client'
import { HIDDEN } from './redacted.ts'
import { inWords } from './sentence.ts'

/** A value of an event as people read it: empty where it has parts of its own, which the JSON shows. */
export function plainValue(value: Json | undefined): string {
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === REDACTED) return HIDDEN
  if (typeof value === 'string') return /^[a-z]+(_[a-z]+)+$/.test(value) ? inWords(value) : value
  if (!Array.isArray(value) || value.some((each) => typeof each === 'object')) return ''
  return value.map(plainValue).join(', ') || 'None'
}
