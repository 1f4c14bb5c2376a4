import type { ThreadsQuery } from '../../application/index.ts'
import type { IndexValue, ValueRange } from '../../log/index.ts'
import { ProblemError } from '../problems/problem.ts'

/** `amount.desc`; a name of the index holds no point. */
export function orderIn(text: string): NonNullable<ThreadsQuery['orderBy']> {
  const [name, direction] = parted(text)
  // The list refuses any other direction.
  return { [name]: direction as 'asc' | 'desc' }
}

/** Every name in a query except those of the list itself is one that an application has declared. */
export function whereIn({
  app: _app,
  after: _after,
  limit: _limit,
  since: _since,
  orderBy: _orderBy,
  ...named
}: Record<string, string[]>): NonNullable<ThreadsQuery['where']> {
  const values = Object.entries(named).filter(([name]) => !name.includes('.'))
  const bounds = Object.entries(named).filter(([name]) => name.includes('.'))
  const ranges = new Map<string, Record<string, string | number>>()
  for (const [parameter, texts] of bounds) {
    const [name, bound] = parted(parameter)
    if (Object.hasOwn(named, name)) throw twice(`a value and a range of "${name}"`)
    if (texts.length > 1) throw twice(parameter)
    ranges.set(name, { ...ranges.get(name), [bound]: boundIn(parameter, texts[0] ?? '') })
  }
  const listed = values.map(([name, texts]) => [name, texts.flatMap(valuesIn)] as const)
  return Object.fromEntries<readonly IndexValue[] | ValueRange>([...listed, ...ranges])
}

function parted(text: string): readonly [name: string, rest: string] {
  const [name = ''] = text.split('.', 1)
  return [name, text.slice(name.length + 1)]
}

/** A query carries only texts: `42` means the text and the number, `true` the text and the boolean. */
function valuesIn(text: string): readonly IndexValue[] {
  if (LITERALS.has(text)) return [text, JSON.parse(text) as IndexValue]
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** A bound is of one type: a number, or a text, which has quotes where it could be read as something else. */
function boundIn(parameter: string, text: string): string | number {
  if (NUMBER.test(text)) return Number(text)
  if (NO_BOUND.has(text)) throw unreadable(parameter, `is "${text}"`)
  return text.startsWith('"') ? quotedIn(parameter, text) : text
}

function quotedIn(parameter: string, text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
  } catch (cause) {
    throw unreadable(parameter, 'is no JSON text', cause)
  }
  throw unreadable(parameter, 'is no JSON text')
}

/** As JSON has it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const NO_BOUND: ReadonlySet<string> = new Set([...LITERALS, 'NaN', 'Infinity', '-Infinity', ''])

function twice(what: string): ProblemError {
  const detail = `Cannot list threads by ${what}: give one of them, once`
  return new ProblemError('invalid_query', 400, { detail })
}

function unreadable(parameter: string, why: string, cause?: unknown): ProblemError {
  const detail = `Cannot list threads by ${parameter}: it ${why}; give a number, or a text in quotes`
  return new ProblemError('invalid_query', 400, { detail, options: { cause } })
}
