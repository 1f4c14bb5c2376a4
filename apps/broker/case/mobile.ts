// Longer than any spelling of a UK number: the rest of a pasted text is not searched.
const INPUT_LENGTH_MAX = 24

// 070 and 076 are personal numbers and pagers.
const UK_MOBILE = /^(07[1-57-9]\d{2})(\d{3})(\d{3})$/

/** Spells a UK mobile number as 07### ### ###, or gives nothing when it is not one. */
export function normaliseMobile(text: string): string | undefined {
  if (text.length > INPUT_LENGTH_MAX) return undefined
  const digits = text.replaceAll(/[\s().-]/g, '').replace(/^(?:\+44|0044)0?/, '0')
  const match = UK_MOBILE.exec(digits)
  return match ? match.slice(1).join(' ') : undefined
}
