import { closesQuote, isQuote } from './characters.ts'
import type { DropReason } from './held.ts'

export const TAG_TYPE_MAX = 128
export const TAG_ATTRIBUTES_MAX = 16

export interface Span {
  from: number
  to: number
}

export interface Attributes {
  /** Empty when it could not be read. */
  readonly type: string
  readonly data: 'json' | 'none'
  readonly fault: DropReason | undefined
}

/** Reads a tag from `start` on. Only a brace walk finds the end of `json`, the value that holds it. */
export function readAttributes(tag: string, start: number, json: Readonly<Span>): Attributes {
  const { names, type, text, jsonName, isRepeated, rest } = list(tag, start, json)
  const data = jsonName === 'data' ? 'json' : 'none'
  if (type.length > TAG_TYPE_MAX || names.length > TAG_ATTRIBUTES_MAX) {
    return { type: type.slice(0, TAG_TYPE_MAX), data, fault: 'limit' }
  }
  const isJsonInPlace = jsonName === undefined || data === 'json'
  const isSound = isJsonInPlace && !isRepeated && type !== '' && text === ''
  return { type, data, fault: isSound && rest.trim() === '/>' ? undefined : 'malformed' }
}

/** Lists the attributes that have a value; `text` is the quoted value of `data`, `rest` follows the last one. */
function list(tag: string, start: number, json: Readonly<Span>) {
  // Distinct, and at most one more than the limit, since each further name is searched for in them.
  const names: string[] = []
  let [type, text, isRepeated, end] = ['', '', false, start]
  let jsonName: string | undefined
  for (let equals = tag.indexOf('=', end); equals >= 0; equals = tag.indexOf('=', end)) {
    const name = tag.slice(end, equals).trim()
    const from = tag.length - tag.slice(equals + 1).trimStart().length
    const isJson = from === json.from
    const to = isJson ? json.to : endOfQuoted(tag, from)
    if (to === 0) break
    const value = isJson ? '' : tag.slice(from + 1, to - 1).trim()
    if (isJson) jsonName = name
    if (name === 'type') type = value
    else if (name === 'data') text = value
    if (names.includes(name)) isRepeated = true
    else if (names.length <= TAG_ATTRIBUTES_MAX) names.push(name)
    end = to
  }
  return { names, type, text, jsonName, isRepeated, rest: tag.slice(end) }
}

/** 0 when no quoted value begins at `from`, or it does not end. */
function endOfQuoted(text: string, from: number): number {
  const opening = text.charCodeAt(from)
  if (!isQuote(opening)) return 0
  let at = from + 1
  while (at < text.length && !closesQuote(text.charCodeAt(at), opening)) at++
  return at < text.length ? at + 1 : 0
}
