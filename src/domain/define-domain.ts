import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AgentEventType } from '../activity/index.ts'
import type { LogRecord } from '../log/index.ts'
import {
  freezeDeep,
  kindOf,
  misshapenMember,
  misspeltMember,
  unknownMember,
  whyNotAtOnce,
  whyNotJson,
} from '../json/index.ts'
import type { Json, JsonState, JsonValue, KnownMembers } from '../json/index.ts'
import { checkEventType, checkPersonal } from './check-event-type.ts'
import { DefinitionError } from './definition-error.ts'
import type { DefinitionErrorCode } from './definition-error.ts'
import type { DeadlineType, EffectType, Falsy } from './due.ts'
import type { AnyEventType, EventType } from './event-type.ts'
import { JSON_MEND, checkedOnce } from './first-fold.ts'
import { hasLostMember, isObjectMember, whyReserved } from './reserved-names.ts'
import type { LibraryRecord } from './reserved-names.ts'

/** An event as a rule proposes it; it passes the same gate as everybody else's. */
export interface RuleProposal {
  readonly type: string
  readonly data: unknown
}

/**
 * A consequence: state → proposed events, none once they have happened.
 *
 * `submits` marks a rule that starts work in the world; it fires only in a pass that allows it.
 * `causedBy` recognises the record that its proposals name as their cause; without it, they name the last
 * accepted event that no rule proposed.
 */
export interface Rule<State, Proposed = RuleProposal> {
  readonly name: string
  readonly submits?: true
  readonly causedBy?: (record: Pick<LogRecord, 'type' | 'data'>) => boolean
  readonly propose: (state: State) => readonly Proposed[]
}

/** An event type together with what a proposal of it may hold. */
export type EventEntry<State, Input, Stored = unknown> = AnyEventType<State> & {
  readonly schema: StandardSchemaV1<Input>
  /** Carries the type only: the member is never there. */
  readonly '~stored'?: Stored
}

/** The event types of a domain, by their names. */
export type EventEntries<State> = Readonly<Record<string, AnyEventType<State>>>

/** A proposal of one of these event types, with data that its schema takes. */
export type ProposalOf<
  Events extends Readonly<Record<string, { readonly schema: StandardSchemaV1 }>>,
> = {
  readonly [Type in keyof Events & string]: {
    readonly type: Type
    readonly data: StandardSchemaV1.InferInput<Events[Type]['schema']>
  }
}[keyof Events & string]

/** An event of one of these types, with its data as the newest version of the type stores it. */
export type StoredEvent<Events> = {
  readonly [Type in keyof Events & string]: {
    readonly type: Type
    readonly data: Events[Type] extends { readonly '~stored'?: infer Stored } ? Stored : unknown
  }
}[keyof Events & string]

type RecordWith<Stored> = Stored extends object ? Omit<LogRecord, 'type' | 'data'> & Stored : never

/**
 * A record of a domain's threads: `RecordOf<typeof domain>`. By its `type` the compiler knows its data. Data
 * has the type of the newest version: where the log holds older ones, look at `v` first.
 */
export type RecordOf<Of extends { readonly '~events'?: unknown }> =
  | RecordWith<StoredEvent<EventsOf<Of>>>
  | RecordWith<{ readonly type: AgentEventType | LibraryRecord; readonly data: Json }>

/** Effects as they are written, whose inputs are objects that JSON carries without loss. */
export type EffectTypes<State, Effects extends WrittenEffects<State>> = {
  readonly [At in keyof Effects]: Effects[At] &
    EffectType<State, InputOf<Effects[At]> & MembersOf<InputOf<Effects[At]>>>
}

type WrittenEffects<State> = readonly EffectType<State, object>[]

type MembersOf<Input> = Input extends readonly unknown[] ? never : JsonValue<Input>

/** The type of `input` in the results of an effect's `due`. */
type InputOf<Effect> = Effect extends { readonly due: (state: never) => infer Given }
  ? DueOf<Given> extends { readonly input: infer Input }
    ? Input
    : never
  : never

type DueOf<Given> = Given extends readonly (infer Each)[] ? Each : Exclude<Given, Falsy>

/** The input of each effect of a domain, by the effect's name. */
export type EffectInputs = Readonly<Record<string, object>>

/** `& {}` makes the compiler show the names and inputs themselves in its errors. */
type InputsByName<Effects extends readonly { readonly name: string }[]> = {
  readonly [Effect in Effects[number] as Effect['name']]: Extract<InputOf<Effect>, object>
} & {}

export interface DomainParts<
  State,
  Events extends EventEntries<State> = EventEntries<State>,
  Effects extends WrittenEffects<State> = readonly EffectType<State>[],
> {
  readonly name: string
  readonly initial: State
  readonly events: Events
  readonly rules?: readonly Rule<State, ProposalOf<NoInfer<Events>>>[]
  readonly effects?: EffectTypes<State, Effects>
  readonly deadlines?: readonly DeadlineType<State, ProposalOf<NoInfer<Events>>>[]
  /**
   * Where the state holds personal data, as paths such as `contact` or `people.name`. Without it the places are
   * traced: each read of a redacted state folds its thread twice more.
   */
  readonly personal?: readonly string[]
  /**
   * What holds of every state, such as `({ lent, limit }) => lent <= limit`. Nothing is refused for it: `fuzz` looks
   * for the events that break one. Its name in a report is that of the function.
   */
  readonly invariants?: readonly Invariant<State>[]
}

export type Invariant<State> = (state: State) => boolean

/** A checked domain. `Domain<State>` is one whose event types and effects are not known to the compiler. */
export interface Domain<
  State,
  Events extends EventEntries<State> = EventEntries<State>,
  Effects extends EffectInputs = EffectInputs,
> {
  readonly name: string
  readonly initial: State
  readonly events: ReadonlyMap<string, AnyEventType<State>>
  /** Carries the types only: the member is never there. */
  readonly '~events'?: Events
  /** The same for the inputs of its effects. */
  readonly '~effects'?: Effects
  readonly rules: readonly Rule<State>[]
  readonly effects: readonly EffectType<State>[]
  readonly deadlines: readonly DeadlineType<State>[]
  /** Absent: traced. */
  readonly personal?: readonly string[]
  readonly invariants: readonly Invariant<State>[]
}

/** The same type, which the type that a domain is annotated with does not widen. */
type AsWritten<State, Events> = Events extends infer Same extends EventEntries<State> ? Same : never

/** The event types of a domain, as they were written. */
export type EventsOf<Of extends { readonly '~events'?: unknown }> = NonNullable<Of['~events']>

/** The names of a domain's event types; any text where they are not known. */
export type EventName<Of extends { readonly '~events'?: unknown }> = keyof EventsOf<Of> & string

/**
 * Starts a domain over `State`: `event` types one entry from its schema, `domain` puts them together.
 *
 * `domain` throws {@link DefinitionError} `reserved_name`, `duplicate_name`, `invalid_event`, `unknown_part`.
 *
 * @example
 * const { event, domain } = defineDomain<{ lit: boolean }>()
 * const lamp = domain({
 *   name: 'lamp',
 *   initial: { lit: false },
 *   events: { lit: event({ schema: z.object({}), by: [{ source: 'ui' }], reduce: () => ({ lit: true }) }) },
 * })
 */
export function defineDomain<State>(..._fits: JsonState<State>) {
  return {
    event: <Schema extends StandardSchemaV1, Stored = StandardSchemaV1.InferOutput<Schema>>(
      entry: { readonly schema: Schema } & Omit<
        EventType<State, StandardSchemaV1.InferOutput<Schema>, Stored>,
        'schema'
      >,
    ): EventEntry<State, StandardSchemaV1.InferInput<Schema>, Stored> => {
      // Data reaches guard, complete and reduce only through this entry's own schema or upcasts.
      return entry as unknown as EventEntry<State, StandardSchemaV1.InferInput<Schema>, Stored>
    },
    domain: <
      Events extends EventEntries<State>,
      const Effects extends WrittenEffects<State> = readonly [],
    >(
      parts: DomainParts<State, Events, Effects>,
    ): Domain<State, AsWritten<State, Events>, InputsByName<Effects>> => {
      checkDomainParts(parts)
      const {
        name,
        initial,
        events,
        rules = [],
        effects: declared,
        deadlines = [],
        personal,
        invariants = [],
      } = parts
      // Their inputs are JSON: `EffectTypes` lets no others through.
      const effects = (declared ?? []) as unknown as readonly EffectType<State>[]
      const types = Object.keys(events)
      const lost = hasLostMember(events) ? ['__proto__'] : []
      checkNames(name, 'event type', { names: [...lost, ...types], whyNot: whyReserved })
      for (const type of types) checkEventType(name, type, events[type])
      for (const type of types) checkFrom(name, initial, { type, from: events[type]?.from })
      checkPersonal(name, personal)
      checkInitial(name, initial)
      checkNames(name, 'rule', { names: rules.map((rule) => rule.name), whyNot: whyNoKey })
      checkNames(name, 'effect', { names: effects.map((effect) => effect.name), whyNot: whyNoKey })
      checkNames(name, 'deadline', { names: deadlines.map((each) => each.name), whyNot: whyNoKey })
      checkRulesMayPropose(name, rules, Object.values(events))
      return {
        name,
        // All threads share it.
        initial: freezeDeep(initial),
        events: new Map(
          Object.entries(events).map(([type, entry]) => [type, checkedOnce(type, entry)]),
        ),
        rules,
        effects,
        deadlines,
        ...(personal && { personal }),
        invariants,
      }
    },
  }
}

function checkNames(
  domain: string,
  kind: string,
  { names, whyNot }: { readonly names: readonly string[]; readonly whyNot: typeof whyReserved },
): void {
  const seen = new Map<string, string>()
  for (const name of names) {
    const refuse = (code: DefinitionErrorCode, why: string): DefinitionError =>
      new DefinitionError(
        code,
        `Cannot define domain "${domain}": its ${kind} "${name}" ${why}; give it another name`,
      )
    const reserved = whyNot(name)
    if (reserved !== undefined) throw refuse('reserved_name', `is reserved, since ${reserved}`)
    // A model or a person would confuse the two.
    const like = seen.get(name.toLowerCase())
    if (like !== undefined) throw refuse('duplicate_name', `is called like "${like}"`)
    seen.set(name.toLowerCase(), name)
  }
}

function whyNoKey(name: string): string | undefined {
  return isObjectMember(name) ? whyReserved(name) : undefined
}

const DOMAIN_PARTS: KnownMembers<DomainParts<never>> = {
  name: true,
  initial: true,
  events: true,
  rules: true,
  effects: true,
  deadlines: true,
  personal: true,
  invariants: true,
}

const DOMAIN_SHAPES = {
  events: 'an object',
  rules: 'a list',
  effects: 'a list',
  deadlines: 'a list',
  invariants: 'a list',
} as const

const RULE_PARTS: KnownMembers<Rule<never>> = {
  name: true,
  submits: true,
  causedBy: true,
  propose: true,
}

const EFFECT_PARTS: KnownMembers<EffectType<never>> = { name: true, due: true }
const DEADLINE_PARTS: KnownMembers<DeadlineType<never>> = { name: true, due: true }

type Named = { readonly name: string }

interface WrittenDomain extends Named {
  readonly invariants?: readonly unknown[]
  readonly events?: object
  readonly rules?: readonly (Named | undefined)[]
  readonly effects?: readonly (Named | undefined)[]
  readonly deadlines?: readonly (Named | undefined)[]
}

/** @throws {@link DefinitionError} `unknown_part`, `invalid_part` */
function checkDomainParts(given: WrittenDomain | undefined): void {
  const parts: Partial<WrittenDomain> = given ?? {}
  const { name, events, rules = [], effects = [], deadlines = [] } = parts
  const refuse = (code: DefinitionErrorCode, why: string | undefined): void => {
    if (why !== undefined) throw new DefinitionError(code, `Cannot define domain "${name}": ${why}`)
  }
  refuse('unknown_part', unknownMember(given, DOMAIN_PARTS))
  refuse('invalid_part', misshapenMember(parts, DOMAIN_SHAPES))
  refuse('invalid_part', whyNoInvariants(parts))
  if (typeof name !== 'string') refuse('invalid_part', 'it has no `name`; give a text')
  if (events === undefined) refuse('invalid_part', 'it has no `events`; give an object')
  const lists = [
    { kind: 'rule', list: rules, known: RULE_PARTS, functions: ['propose', 'causedBy'] },
    { kind: 'effect', list: effects, known: EFFECT_PARTS, functions: ['due'] },
    { kind: 'deadline', list: deadlines, known: DEADLINE_PARTS, functions: ['due'] },
  ]
  for (const { kind, list, known, functions } of lists) {
    for (const each of list) {
      const what = `its ${kind} "${each?.name}"`
      const unknown = unknownMember(each, known)
      refuse('unknown_part', unknown && `${what}: ${unknown}`)
      const why = whyNoFunction(each, functions)
      refuse('invalid_part', why && `${what}: ${why}`)
    }
  }
}

function whyNoInvariants({ invariants = [] }: Partial<WrittenDomain>): string | undefined {
  const whys = invariants.map((each) => whyNotAtOnce('invariants', each))
  return whys.find((why) => why !== undefined)
}

/** Says which of the functions cannot be called; only the first has to be there. */
function whyNoFunction(
  given: object | undefined,
  [first = '', ...more]: readonly string[],
): string | undefined {
  const member = (name: string): unknown => Reflect.get(given ?? {}, name)
  if (member(first) === undefined) return `it has no function \`${first}\``
  const whys = [first, ...more].map((name) => whyNotAtOnce(name, member(name)))
  return whys.find((why) => why !== undefined)
}

/** A member that is absent at first is none of `initial`, so only a misspelt one counts. */
function checkFrom(
  domain: string,
  initial: unknown,
  { type, from = {} }: { readonly type: string; readonly from: object | undefined },
): void {
  const misspelt = kindOf(initial) === 'an object' && misspeltMember(from, initial as object)
  if (!misspelt) return
  throw new DefinitionError(
    'invalid_event',
    `Cannot define domain "${domain}": its event type "${type}" cannot be used: its \`from\`: ${misspelt}`,
  )
}

function checkRulesMayPropose(
  domain: string,
  rules: readonly { readonly name: string }[],
  events: readonly { readonly by: readonly { readonly source: string }[] }[],
): void {
  const [rule] = rules
  if (!rule || events.length === 0) return
  if (events.some(({ by }) => by.some(({ source }) => source === 'rule'))) return
  throw new DefinitionError(
    'invalid_part',
    `Cannot define domain "${domain}": its rule "${rule.name}" may propose nothing: ` +
      "add { source: 'rule' } to the `by` of what it proposes",
  )
}

function checkInitial(name: string, initial: unknown): void {
  const why = whyNotJson(initial, 'initial')
  if (why === undefined) return
  throw new DefinitionError(
    'invalid_state',
    `Cannot define domain "${name}": its state begins with what JSON cannot hold: ${why}; ${JSON_MEND}`,
  )
}
