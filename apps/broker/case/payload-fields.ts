import { z } from 'zod'
import { EMAIL_LENGTH_MAX } from './limits.ts'

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

/** Allows the rounding error of a binary sum of pennies, and no more: 1e-9 pounds are not 0. */
function isWholePennies(amount: number): boolean {
  const pennies = Math.round(amount * 100) / 100
  return Math.abs(amount - pennies) <= Math.abs(amount) * Number.EPSILON * 4
}
