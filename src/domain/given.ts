import { assert } from '../assert/index.ts'
import type { Json } from '../json/index.ts'
import type { Origin } from '../log/index.ts'
import { decide, validate } from './decide.ts'
import type { DecidedEvent } from './decide.ts'
import type { Domain, EventEntries, ProposalOf, StoredEvent } from './define-domain.ts'
import { DUE_MAX, dueDeadlines } from './due.ts'
import type { Refusal, RefusalReason } from './event-type.ts'
import { evolve } from './evolve.ts'
import { reconcile } from './reconcile.ts'

/** Who proposes; `depth` is 0 unless it says otherwise. */
export type ProposedBy = Pick<Origin, 'source'> & Partial<Origin>

/** An event that has happened, with its data as it is stored. */
export interface PastEvent<Type extends string = string> {
  readonly type: Type
  readonly data: unknown
  /** Milliseconds since the epoch; 0 unless given. */
  readonly ts?: number
  /** The first authority of its event type, unless given. */
  readonly origin?: ProposedBy
}

export interface WhenOptions {
  /** A person wrote a message in the turn of the proposal. */
  readonly typed?: boolean
  /** `submit` lets rules that start work in the world fire; `derive`, the default, does not. */
  readonly pass?: 'derive' | 'submit'
}

/** A test of one thread of a domain. Each step returns a new scenario; nothing is stored. */
export interface Scenario<State, Events extends EventEntries<State> = EventEntries<State>> {
  /**
   * After all steps.
   *
   * @throws Error that says why a step was refused: only {@link thenRefused} expects that
   */
  readonly state: State
  /** Decides a proposal, of the first authority of its event type unless it says whose, and runs the rules. */
  when(
    proposal: ProposalOf<Events> & { readonly origin?: ProposedBy },
    options?: WhenOptions,
  ): Scenario<State, Events>
  /** Lets time pass until `ms`, in milliseconds since the epoch: the deadlines until then propose. */
  at(ms: number): Scenario<State, Events>
  /**
   * Checks the events of all steps by type and stored data, those of rules and deadlines included.
   *
   * @throws Error that shows the difference, or the refusal of a step
   */
  then(events: readonly StoredEvent<Events>[]): void
  /** @throws Error when the last proposal was accepted, or refused for another reason */
  thenRefused(reason: RefusalReason): void
}

/**
 * Tests a domain without a store, a clock or a test runner: events that have happened, steps, and the
 * events that must come of them.
 *
 * @example
 * given(lamp, [{ type: 'lit', data: {} }])
 *   .when({ type: 'put_out', data: {} })
 *   .then([{ type: 'put_out', data: {} }])
 */
export function given<State, Events extends EventEntries<State>>(
  domain: Domain<State, Events>,
  events: readonly PastEvent<keyof Events & string>[] = [],
): Scenario<State, Events> {
  const story: Story<State> = {
    state: domain.initial,
    now: 0,
    activeAt: 0,
    events: [],
    refusals: [],
    last: undefined,
    fired: new Set(),
  }
  const past = events.reduce(
    (before, event, at) => tell(domain, before, stored(domain, event, at)),
    story,
  )
  return scenario(domain, { ...past, events: [] })
}

interface Story<State> {
  readonly state: State
  readonly now: number
  readonly activeAt: number
  readonly events: readonly DecidedEvent[]
  readonly refusals: readonly string[]
  /** Why the last proposal was refused. */
  readonly last: Refusal | undefined
  /** The deadlines that have proposed, each once. */
  readonly fired: ReadonlySet<string>
}

function scenario<State, Events extends EventEntries<State>>(
  domain: Domain<State>,
  story: Story<State>,
): Scenario<State, Events> {
  return {
    get state() {
      if (story.refusals.length === 0) return story.state
      throw new Error(`Cannot tell the state: ${story.refusals.join('; ')}`)
    },
    when: (proposal, options) =>
      scenario(domain, propose(domain, story, { ...proposal, ...options })),
    at: (ms) => scenario(domain, wait(domain, story, ms)),
    // oxlint-disable-next-line unicorn/no-thenable -- given, when, then is how such tests are written
    then: (events) => compare(story, events),
    thenRefused: (reason) => {
      const { last } = story
      if (last?.refused === reason) return
      const came = last ? `refused as ${last.refused}: ${last.detail}` : 'accepted'
      throw new Error(`The last proposal was to be refused as ${reason}, but was ${came}`)
    },
  }
}

interface Step extends WhenOptions {
  readonly type: string
  readonly data: unknown
  readonly origin?: ProposedBy
}

function propose<State>(
  domain: Domain<State>,
  story: Story<State>,
  { type, data, typed = false, pass = 'derive', ...step }: Step,
): Story<State> {
  const { now } = story
  const origin = step.origin ?? firstAuthority(domain, type)
  let count = story.events.length + story.refusals.length
  const id = (): string => idOf('1', count++)
  const proposal = { id: id(), type, data, origin: { depth: 0, ...origin } }
  const decision = decide(domain, story.state, { proposal, now, typed })
  if ('refused' in decision) {
    const refusal = `${type} was refused as ${decision.refused}: ${decision.detail}`
    const activeAt = origin.source === 'ui' ? now : story.activeAt
    return { ...story, activeAt, last: decision, refusals: [...story.refusals, refusal] }
  }
  const accepted = tell(domain, { ...story, last: undefined }, decision.accepted)
  const { events } = reconcile(domain, accepted.state, { now, id, pass })
  return events.reduce((before, event) => tell(domain, before, event), accepted)
}

/** Goes on to `ms`, from one deadline to the next. */
function wait<State>(domain: Domain<State>, story: Story<State>, ms: number): Story<State> {
  if (ms < story.now) throw new Error(`Cannot go back to ${ms}: it is ${story.now}`)
  for (let count = 0; count < DUE_MAX; count++) {
    const due = dueDeadlines(domain, story).find(
      ({ at, name, key }) => at <= ms && !story.fired.has(`${name} ${key}`),
    )
    if (!due) return { ...story, now: ms }
    const fired = new Set([...story.fired, `${due.name} ${due.key}`])
    const now = Math.max(story.now, due.at)
    const origin = { source: 'system' } as const
    story = propose(domain, { ...story, now, fired }, { ...due.propose, origin })
  }
  assert(false, `Cannot go to ${ms}: more than ${DUE_MAX} deadlines are due until then`)
}

function tell<State>(
  domain: Domain<State>,
  story: Story<State>,
  event: DecidedEvent,
): Story<State> {
  const state = evolve(domain, story.state, event)
  const isActivity = state !== story.state || event.origin.source === 'ui'
  const now = Math.max(story.now, event.ts)
  const activeAt = isActivity ? event.ts : story.activeAt
  return { ...story, state, now, activeAt, events: [...story.events, event] }
}

function stored<State>(
  domain: Domain<State>,
  { type, data, ts = 0, origin }: PastEvent,
  at: number,
): DecidedEvent {
  const entry = domain.events.get(type)
  if (!entry) throw new Error(`Cannot begin with "${type}": it is not an event of ${domain.name}`)
  // What `complete` adds is in no schema.
  const checked = entry.complete ? undefined : validate(entry, data)
  if (checked && 'refused' in checked) {
    throw new Error(`Cannot begin with "${type}": its data does not fit: ${checked.detail}`)
  }
  const by = origin ?? firstAuthority(domain, type)
  // The caller gives the data as the log holds it.
  const fact = { type, data: data as Json, v: entry.version ?? 1 }
  return { ...fact, id: idOf('0', at), ts, origin: { depth: 0, ...by } }
}

function firstAuthority<State>({ events }: Domain<State>, type: string): ProposedBy {
  const { source, surface } = events.get(type)?.by[0] ?? { source: 'system' }
  return { source, ...(surface === undefined ? {} : { surface }) }
}

function idOf(kind: '0' | '1', count: number): string {
  return `${kind}0000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

type Expected = { readonly type: string; readonly data: unknown }

function compare<State>({ events, refusals }: Story<State>, expected: readonly Expected[]): void {
  if (typeof expected === 'function') {
    throw new Error('Cannot await a scenario: it is no promise; call `then` with the events')
  }
  const [wanted, came] = [expected.map(lineOf), events.map(lineOf)]
  const isSame = wanted.length === came.length && wanted.every((line, at) => line === came[at])
  if (isSame && refusals.length === 0) return
  const rows = Array.from({ length: Math.max(wanted.length, came.length) }, (_, at) =>
    rowsOf(wanted[at], came[at]),
  )
  const heading = 'The events are not those expected (- expected, + came):'
  throw new Error([heading, ...rows.flat(), ...refusals].join('\n'))
}

function rowsOf(wanted: string | undefined, came: string | undefined): readonly string[] {
  if (wanted === came) return [`  ${wanted}`]
  return [
    ...(wanted === undefined ? [] : [`- ${wanted}`]),
    ...(came === undefined ? [] : [`+ ${came}`]),
  ]
}

function lineOf({ type, data }: Expected): string {
  return `${type} ${JSON.stringify(data, sorted)}`
}

/** Members in one order: JSON knows none. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}
