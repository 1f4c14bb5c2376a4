/** Below this length looking at each character is quicker than a search. */
const SHORT = 24
const NEWLINE = 10
const LESS = 60
const BACKTICK = 96

/** Whether nothing in a text could begin a tag or code, or end a line. */
export function isPlain(text: string): boolean {
  if (text.length > SHORT) return !/[<\n`]/.test(text)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LESS || code === NEWLINE || code === BACKTICK) return false
  }
  return true
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
