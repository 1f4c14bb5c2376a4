import type { Encoded } from './encode-json.ts'
import { invalidEvent, quote } from './log-error.ts'
import type { CommitMark, Origin, Person, Source } from './record.ts'

/** The sources that an origin may have, by name. */
export const SOURCES: { readonly [Name in Source]: true } = {
  ui: true,
  model: true,
  rule: true,
  system: true,
  process: true,
  remote: true,
}

/** The members of an origin in the order in which they are stored. */
const ORIGIN = Object.entries({
  source: (value) => typeof value === 'string' && Object.hasOwn(SOURCES, value),
  surface: isText,
  agent: isText,
  path: (value) => Array.isArray(value) && value.every(isText),
  depth: isCount,
  run: isText,
  parentRun: isText,
  turn: isText,
  attempt: isCount,
  call: isText,
  cause: isText,
  rule: isText,
  actor: isText,
  approvedBy: isPerson,
  commit: isCommitMark,
} satisfies { readonly [Key in keyof Required<Origin>]: (value: unknown) => boolean })

/** @throws {@link LogError} `invalid_event` */
export function encodeOrigin(origin: Origin): Encoded<Origin> {
  // Read by name, and copied only after the read value has been checked.
  const given = origin as unknown as Readonly<Record<string, unknown>>
  const checked: Record<string, unknown> = {}
  let known = 0
  for (const [key, fits] of ORIGIN) {
    const value = given[key]
    if (value === undefined && key !== 'source' && key !== 'depth') continue
    if (!fits(value)) throw invalidEvent(`its origin.${key} is ${quote(value)}`)
    checked[key] = stored(value)
    known++
  }
  if (known < Object.keys(given).length) refuseUnknown(given)
  const text = JSON.stringify(checked)
  // Only now: encoding a frozen array takes V8 twice the time.
  if (checked['path'] !== undefined) Object.freeze(checked['path'])
  if (checked['approvedBy'] !== undefined) Object.freeze(checked['approvedBy'])
  if (checked['commit'] !== undefined) Object.freeze(checked['commit'])
  return { value: Object.freeze(checked), text } as Encoded<unknown> as Encoded<Origin>
}

/** A copy of a member's value that has been checked: a text, a count, a list of texts or an object of such. */
function stored(value: unknown): unknown {
  if (Array.isArray(value)) return [...value]
  if (typeof value === 'object') return { ...value }
  // JSON has no negative zero.
  return value === 0 ? 0 : value
}

function refuseUnknown(given: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined && !ORIGIN.some(([name]) => name === key)) {
      throw invalidEvent(`its origin has the unknown member ${quote(key)}`)
    }
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isPerson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = Object.entries(value)
  return members.every(([key, text]) => PERSON.includes(key) && isText(text))
}

function isCommitMark(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = Object.entries(value)
  const fits = ([name, given]: [string, unknown]): boolean =>
    MARK.some(([key, isFit]) => key === name && isFit(given))
  return Object.hasOwn(value, 'records') && members.every(fits)
}

const MARK = Object.entries({
  records: isCount,
  pass: (value) => value === 'submit',
  typed: (value) => value === true,
} satisfies { readonly [Key in keyof Required<CommitMark>]: (value: unknown) => boolean })

const PERSON: readonly string[] = ['role', 'actor'] satisfies (keyof Person)[]

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
