import { z } from 'zod'

export const NAME_LENGTH_MAX = 120
export const ADDRESS_LINE_LENGTH_MAX = 120
export const EMAIL_LENGTH_MAX = 254
export const PROJECT_POUNDS_MAX = 1_000_000
export const INCOME_POUNDS_MAX = 10_000_000
/** Of ids and hashes, which are compared and never shown. */
export const REFERENCE_LENGTH_MAX = 256

/** One line of text, trimmed, without control characters. */
export function line(lengthMax: number) {
  return blankLine(lengthMax).min(1, 'must not be empty')
}

/** A line that an amended form may also empty. */
export function blankLine(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax, `must not exceed ${lengthMax} characters`)
    .regex(/^\P{Cc}*$/u, 'must be one line of text')
}

/** Free text, trimmed; it may have lines, but no other control characters. */
export function prose(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax, `must not exceed ${lengthMax} characters`)
    .regex(/^(?:\P{Cc}|[\n\r\t])*$/u, 'must be plain text')
}

/** An amount in pounds, to the penny. */
export function pounds(max: number) {
  return z
    .number()
    .min(0, 'must not be negative')
    .max(max, `must not exceed ${max}`)
    .refine(isWholePennies, 'must have at most two decimals')
}

export function emailAddress() {
  return z.string().trim().max(EMAIL_LENGTH_MAX).pipe(z.email('must be an email address'))
}

// In doubles 1.1 * 100 is not 110.
function isWholePennies(amount: number): boolean {
  return Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6
}
