import { isSpace } from './characters.ts'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const ESCAPE = /["\\/bfnrt]|u[\da-fA-F]{4}/y
const BARE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![-+.\w])/y

/** The possible next tokens, as bits, because several may be possible. */
const VALUE = 1
const NAME = 2
const COLON_SIGN = 4
const COMMA_SIGN = 8
const END = 16

/**
 * Whether a text is JSON, in one pass.
 *
 * Asked before parsing because an exception, of which a hostile text could cause thousands, costs as
 * much as reading a thousand characters.
 */
export function isJson(text: string): boolean {
  /** The closing characters of the open objects and arrays. */
  const closers: number[] = []
  let expected = VALUE
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const found = expected & meaningsOf(code)
    if (found === END && closers.pop() !== code) return false
    if (code === OPEN_BRACE || code === OPEN_BRACKET) closers.push(code + 2)
    const end = found === VALUE || found === NAME ? endOfValue(text, at) : at + 1
    if (found === 0 || end === 0) return false
    expected = expectedAfter(found, code, closers)
    at = skipSpace(text, end)
  }
  return expected === 0
}

function meaningsOf(code: number): number {
  if (code === QUOTE) return VALUE | NAME
  if (code === COLON) return COLON_SIGN
  if (code === COMMA) return COMMA_SIGN
  return code === CLOSE_BRACE || code === CLOSE_BRACKET ? END : VALUE
}

function expectedAfter(found: number, code: number, closers: readonly number[]): number {
  if (code === OPEN_BRACE) return NAME | END
  if (code === OPEN_BRACKET) return VALUE | END
  if (found === NAME) return COLON_SIGN
  if (found === COLON_SIGN) return VALUE
  if (found === COMMA_SIGN) return closers.at(-1) === CLOSE_BRACE ? NAME : VALUE
  return closers.length > 0 ? COMMA_SIGN | END : 0
}

/** 0 when the value that begins at `from` is none; of objects and arrays only the opener is read. */
function endOfValue(text: string, from: number): number {
  const code = text.charCodeAt(from)
  if (code === QUOTE) return endOfString(text, from + 1)
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return from + 1
  BARE.lastIndex = from
  return BARE.test(text) ? BARE.lastIndex : 0
}

function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < 32) return 0
    at++
    if (code !== BACKSLASH) continue
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) return 0
    at = ESCAPE.lastIndex
  }
  return 0
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}
