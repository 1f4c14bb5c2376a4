import type { BraceWalk, Dialect } from './brace-walk.ts'
import { isJson } from './json-grammar.ts'

/** Objects and arrays inside one another; deeper JSON is dropped. */
export const JSON_DEPTH_MAX = 64

export type JsonObject = Readonly<Record<string, unknown>>

const READ_AS: Readonly<Record<Dialect, (text: string) => string>> = {
  literal: (text) => text,
  flattened: (text) => text.replaceAll('\\"', '"'),
  folded: (text) => text.replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'"),
}

/**
 * Reads the objects in one text.
 *
 * The dialects are tried in order in the walk: it leaves a dialect at a character that it cannot have.
 * Trying a later one on a mere syntax error would let the text of a string become structure.
 */
export class JsonReader {
  /** An exception for a syntax error is slow, so a text may cause only one. */
  #manner: 'trusting' | 'wary' = 'trusting'

  /** Reads the object that `walk` went through. */
  read(
    text: string,
    walk: Pick<BraceWalk, 'dialect' | 'members'>,
  ): JsonObject | 'malformed' | 'limit' {
    const value = this.#parse(plainApostrophes(READ_AS[walk.dialect](text)))
    const members = countMembers(value, 1)
    if (members === Infinity) return 'limit'
    // Fewer than were written means that a name was given twice.
    return value && members === walk.members ? value : 'malformed'
  }

  #parse(text: string): JsonObject | undefined {
    if (this.#manner === 'wary' && !isJson(text)) return undefined
    try {
      // The text starts with a brace, so whatever it parses to is an object.
      return JSON.parse(text) as JsonObject
    } catch {
      this.#manner = 'wary'
      return undefined
    }
  }
}

/** JSON has no `\'`, but programming languages do. */
function plainApostrophes(text: string): string {
  if (!text.includes("\\'")) return text
  return text.replaceAll(/\\(.)/gs, (escape, char: string) => (char === "'" ? char : escape))
}

/** Infinity when the value is too deep, NaN, which equals nothing, when a name is forbidden. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > JSON_DEPTH_MAX) return Infinity
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object') count += countMembers(item, depth + 1)
    }
    return count
  }
  for (const name of Object.keys(value)) {
    if (isForbidden(name)) return Number.NaN
    // A name of the object's own, as the line above says.
    const held = (value as JsonObject)[name]
    count += typeof held === 'object' ? 1 + countMembers(held, depth + 1) : 1
  }
  return count
}

/** Names through which careless copying would reach a prototype. */
function isForbidden(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype'
}
