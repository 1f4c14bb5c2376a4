// Longer than any spelling of a postcode: the rest of a pasted text is not searched.
const INPUT_LENGTH_MAX = 16

// BS 7666, without the letters that are never used in a place: the area and district …
const OUTWARD = /^(?:GIR|[A-PR-UWYZ](?:[A-HK-Y]?\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY]))$/
// … and the sector and unit, which are always three characters.
const INWARD = /^\d[ABD-HJLNP-UW-Z]{2}$/

/** Spells a UK postcode in the usual way, or gives nothing when it is not one. */
export function normalisePostcode(text: string): string | undefined {
  if (text.length > INPUT_LENGTH_MAX) return undefined
  const letters = text.replaceAll(/\s/g, '').toUpperCase()
  const [outward, inward] = [letters.slice(0, -3), letters.slice(-3)]
  return OUTWARD.test(outward) && INWARD.test(inward) ? `${outward} ${inward}` : undefined
}
