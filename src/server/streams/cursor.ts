import type { Context } from 'hono'
import { ProblemError } from '../problems/problem.ts'

/**
 * The position that a request resumes from: the larger of `?after=` and `Last-Event-ID`, −1 by default.
 *
 * @throws {@link ProblemError} `invalid_cursor` when one is not a whole number of at least −1, or
 * stands there twice
 */
export function cursorOf(context: Context): number {
  const given = [
    singleText(context, 'after', 'invalid_cursor'),
    context.req.header('last-event-id'),
  ]
  return Math.max(-1, ...given.filter((text) => text !== undefined).map(parseCursor))
}

/**
 * The epoch that a request's cursor belongs to, when the reader knows it.
 *
 * @throws {@link ProblemError} `invalid_cursor` when there are two
 */
export function epochOf(context: Context): string | undefined {
  return singleText(context, 'epoch', 'invalid_cursor')
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
  const text = singleText(context, name, 'invalid_query')
  if (text === undefined) return undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= bounds.min && value <= bounds.max) return value
  throw new ProblemError('invalid_query', 400, {
    detail: `Cannot use ${name}: give a whole number from ${bounds.min} to ${bounds.max}`,
  })
}

/**
 * The text of a query's name. Of two, neither is more likely to be meant.
 *
 * @throws {@link ProblemError} of the code
 */
export function singleText(
  context: Context,
  name: string,
  code: 'invalid_cursor' | 'invalid_query',
): string | undefined {
  const [text, ...more] = context.req.queries(name) ?? []
  if (more.length === 0) return text
  throw new ProblemError(code, 400, { detail: `Cannot use ${name}: it is there twice` })
}

function parseCursor(text: string): number {
  if (/^(-1|\d{1,15})$/.test(text)) return Number(text)
  throw new ProblemError('invalid_cursor', 400, {
    detail: 'Cannot resume: a cursor is a whole number of at least -1',
  })
}
