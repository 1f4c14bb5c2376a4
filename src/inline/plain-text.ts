import { isBlank } from './characters.ts'

/** Up to this length looking at each character is quicker than searching. */
const SHORT = 24
const NEWLINE = 10
const SLASH = 47
const LESS = 60
const GREATER = 62
const BACKTICK = 96
const A = 97

export function isShort(text: string): boolean {
  return text.length <= SHORT
}

/** Whether nothing in a short text could begin a tag or code, or end a line. */
export function isShortPlain(text: string): boolean {
  if (text.length > SHORT) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LESS || code === NEWLINE || code === BACKTICK) return false
  }
  return true
}

/**
 * What a text is, where a line is open that shows something: `plain` text only has to be passed on, and
 * so have `lines` that show something and hold no mark of code. Any other may hold a tag or code.
 */
export function plainnessOf(text: string): 'plain' | 'lines' | 'other' {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (mayOpen(text, at)) return 'other'
  }
  if (text.includes('`')) return 'other'
  if (!text.includes('\n')) return 'plain'
  return text.includes('~') || !endsVisible(text) ? 'other' : 'lines'
}

/** Whether the last of several lines shows more than the `>` of quotations. */
export function endsVisible(text: string): boolean {
  let at = text.length - 1
  let code = text.charCodeAt(at)
  while (isBlank(code) || code === GREATER) code = text.charCodeAt(--at)
  return code !== NEWLINE
}

/** Whether a tag of ours may begin at a `<`. */
function mayOpen(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  return next === A || next === SLASH || at + 1 === text.length
}

export function nextLess(text: string, from: number): number {
  if (text.length - from > SHORT) {
    const found = text.indexOf('<', from)
    return found >= 0 ? found : text.length
  }
  let at = from
  while (at < text.length && text.charCodeAt(at) !== LESS) at++
  return at
}
