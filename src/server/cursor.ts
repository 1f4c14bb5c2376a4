import type { Context } from 'hono'
import { ProblemError } from './problem.ts'

/**
 * The position that a request resumes from: the larger of `?after=` and `Last-Event-ID`, −1 by default.
 *
 * @throws {@link ProblemError} `invalid_cursor` when one is not a whole number of at least −1
 */
export function cursorOf(context: Context): number {
  const given = [context.req.query('after'), context.req.header('last-event-id')]
  return Math.max(-1, ...given.filter((text) => text !== undefined).map(parseCursor))
}

/**
 * A whole number from a query, within bounds.
 *
 * @throws {@link ProblemError} `invalid_query`
 */
export function wholeNumber(
  context: Context,
  name: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  const text = context.req.query(name)
  if (text === undefined) return undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= bounds.min && value <= bounds.max) return value
  throw new ProblemError('invalid_query', 400, {
    detail: `Cannot use ${name}: give a whole number from ${bounds.min} to ${bounds.max}`,
  })
}

function parseCursor(text: string): number {
  if (/^(-1|\d{1,15})$/.test(text)) return Number(text)
  throw new ProblemError('invalid_cursor', 400, {
    detail: 'Cannot resume: a cursor is a whole number of at least -1',
  })
}
