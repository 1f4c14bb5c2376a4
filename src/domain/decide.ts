import { assert } from '../assert/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import { kindOf, quotedNames } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Domain } from './define-domain.ts'
import { REFUSAL_REASONS } from './event-type.ts'
import type { AnyEventType, From, Moment, Refusal } from './event-type.ts'
import { explainIssues } from './explain-issues.ts'

/** A refusal of an unknown type names at most so many of the domain's event types. */
const TYPES_TOLD_MAX = 20

/** A proposed event. Only its origin is trusted. */
export interface Proposal {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly origin: Origin
}

/** An accepted event, complete and stamped: what the log will be asked to append. */
export type DecidedEvent = Required<NewEvent>

export type Decision = { readonly accepted: DecidedEvent } | Refusal

export interface DecideContext {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Whether a person wrote a message in this turn. */
  readonly typed?: boolean
}

/**
 * Decides one proposal on a state: schema, then authority, then `from`, then guard. Pure.
 *
 * A refusal is a value. `state` is unchanged either way: fold the accepted event with {@link evolve}.
 */
export function decide<State>(
  domain: Domain<State>,
  state: State,
  question: { readonly proposal: Proposal } & DecideContext,
): Decision {
  const { proposal, now, typed = false } = question
  const entry = domain.events.get(proposal.type)
  if (!entry) return refuse('unknown_type', unknownType(domain, proposal.type))
  const parsed = validate(entry, proposal.data)
  if ('refused' in parsed) return parsed
  const at: Moment = { id: proposal.id, ts: now, origin: proposal.origin, typed }
  const mayPropose = entry.by.some((authority) => {
    if (!isFor(authority, proposal.origin)) return false
    if (authority.when === undefined) return true
    const answer: unknown = authority.when(state, parsed.value, at)
    // A promise is truthy: it must let nobody in.
    if (answer instanceof Promise) refuseLate(answer, `a \`when\` of "${proposal.type}"`)
    return Boolean(answer)
  })
  if (!mayPropose) return refuse('not_authorised', notAuthorised(entry, proposal))
  const elsewhere = whyNotFrom(entry.from, state)
  if (elsewhere !== undefined) return refuse('precondition', elsewhere)
  const refusal = entry.guard?.(state, parsed.value, at)
  if (refusal !== undefined) return checkedRefusal(refusal, proposal.type)
  const data = entry.complete ? entry.complete(parsed.value, state, at) : parsed.value
  if (data instanceof Promise) refuseLate(data, `the \`complete\` of "${proposal.type}"`)
  return {
    accepted: {
      id: proposal.id,
      ts: now,
      type: proposal.type,
      // A schema's output is plain JSON; the log refuses anything else.
      data: data as Json,
      origin: proposal.origin,
      v: entry.version ?? 1,
    },
  }
}

/** The value that the schema of an event type makes of its data, or why it does not fit. */
export function validate<State>(
  entry: AnyEventType<State>,
  data: unknown,
): { value: unknown } | Refusal {
  const result = entry.schema['~standard'].validate(data)
  // Zod also returns a promise when data throws.
  if (result instanceof Promise) refuseLate(result, 'an event schema')
  if (!result.issues) return { value: result.value }
  return refuse('invalid_payload', explainIssues(result.issues))
}

function checkedRefusal(refusal: Refusal, type: string): Refusal {
  // Node runs a program without checking its types: a guard that returns false must not accept.
  const reason: unknown = (refusal as Partial<Refusal> | null)?.refused
  if (typeof reason === 'string' && Object.hasOwn(REFUSAL_REASONS, reason)) return refusal
  if (refusal instanceof Promise) refuseLate(refusal, `the guard of "${type}"`)
  const returned = typeof reason === 'string' ? `the reason "${reason}"` : kindOf(refusal)
  assert(
    false,
    `Cannot decide "${type}": its guard must return undefined to accept, or { refused, detail }; ` +
      `it returned ${returned}, and \`refused\` is one of ${quotedNames(Object.keys(REFUSAL_REASONS))}`,
  )
}

function refuseLate(promise: Promise<unknown>, what: string): never {
  // Unhandled, its rejection would end the process.
  promise.catch(() => {})
  assert(false, `Cannot decide: ${what} returned a promise; it must answer synchronously`)
}

/** Names what the state must be, not what it is: the proposer may not see that. */
function whyNotFrom<State>(from: From<State> | undefined, state: State): string | undefined {
  for (const [name, given] of Object.entries(from ?? {})) {
    const values: readonly unknown[] = Array.isArray(given) ? given : [given]
    if (values.includes((state as Readonly<Record<string, unknown>>)[name])) continue
    return `it needs "${name}" to be ${values.map((value) => String(JSON.stringify(value))).join(' or ')}`
  }
  return undefined
}

function isFor({ source, surface }: Place, origin: Place): boolean {
  return source === origin.source && (surface === undefined || surface === origin.surface)
}

function notAuthorised<State>({ by }: AnyEventType<State>, { type, origin }: Proposal): string {
  const denied = `${describe(origin)} may not propose "${type}"`
  if (by.some((authority) => isFor(authority, origin))) {
    return `${denied} now: the data, the state or the turn does not meet its condition`
  }
  const allowed = new Set(by.map(describe))
  return allowed.size === 0
    ? `${denied}: nobody may`
    : `${denied}: only ${[...allowed].join(' or ')} may`
}

function unknownType<State>({ name, events }: Domain<State>, type: string): string {
  const known = [...events.keys()]
  const more = known.length - TYPES_TOLD_MAX
  const told = quotedNames(known.slice(0, TYPES_TOLD_MAX)) || 'none'
  const all = more > 0 ? `${told}, ${more} more` : told
  return `"${type}" is not an event of ${name}: it has ${all}`
}

type Place = Pick<Origin, 'source' | 'surface'>

function describe({ source, surface }: Place): string {
  return surface ? `"${source}" on "${surface}"` : `"${source}"`
}

function refuse(refused: Refusal['refused'], detail: string): Refusal {
  return { refused, detail }
}
