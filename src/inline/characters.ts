/** Whether a character is a blank within a line. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13
}

export function isSpace(code: number): boolean {
  return code === 10 || isBlank(code)
}

const [LEFT_SINGLE, RIGHT_SINGLE, LEFT_DOUBLE, RIGHT_DOUBLE] = [0x2018, 0x2019, 0x201c, 0x201d]

/** Whether a quote ends the value of an attribute that another one began; either smart one of a pair does. */
export function closesQuote(code: number, opening: number): boolean {
  if (code === opening) return true
  if (opening === LEFT_DOUBLE || opening === RIGHT_DOUBLE) {
    return code === LEFT_DOUBLE || code === RIGHT_DOUBLE
  }
  if (opening !== LEFT_SINGLE && opening !== RIGHT_SINGLE) return false
  return code === LEFT_SINGLE || code === RIGHT_SINGLE
}

/** Whether it is `"`, `'`, or a smart one of them. */
export function isQuote(code: number): boolean {
  return (
    code === 34 || code === 39 || closesQuote(code, LEFT_DOUBLE) || closesQuote(code, LEFT_SINGLE)
  )
}

/** Whether a character may be in the name of a tag or of an attribute. */
export function isNameCode(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 58) || code === 45 || code === 46
}

/** Whether it may begin one. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}
