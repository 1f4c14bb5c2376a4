/** Whether a character is a blank within a line. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13
}

export function isSpace(code: number): boolean {
  return code === 10 || isBlank(code)
}

/** Whether a character may be in the name of a tag or of an attribute. */
export function isNameCode(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 58) || code === 45 || code === 46
}

/** Whether it may begin one. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}
