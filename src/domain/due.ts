import { assert } from '../assert/index.ts'
import type { Json } from '../json/index.ts'

/** The most items that one effect or deadline may return for one state. */
export const DUE_MAX = 10_000
/** The longest key of an effect or a deadline, in characters. */
export const DUE_KEY_CHARS_MAX = 512

/** The values of `wanted && { … }` while nothing is due. */
export type Falsy = undefined | null | false | 0 | ''

/** The members that an effect's request records beside `effect` and `key`. */
export type EffectInput = Readonly<Record<string, Json>>

/** Work that is due now. The same key means the same work; the request's record holds `input`. */
export interface Due<Input = EffectInput> {
  readonly key: string
  readonly input: Input
}

/** I/O that a state waits for. Each key has exactly one recorded outcome. */
export interface EffectType<State, Input = EffectInput> {
  readonly name: string
  readonly due: (state: State) => Due<Input> | readonly Due<Input>[] | Falsy
}

/** An event as a deadline proposes it. */
export interface DeadlineProposal {
  readonly type: string
  readonly data: unknown
}

/** A time at which an event is proposed, in milliseconds since the epoch; `Infinity` means never. */
export interface At<Proposed = DeadlineProposal> {
  readonly at: number
  /** The same key means the same deadline, which proposes once, at whatever time. */
  readonly key: string
  readonly propose: Proposed
}

/** A thread's last activity, which deadlines get beside the state. */
export interface LastActivity {
  /**
   * When the last run, person or change of the state was recorded, in milliseconds since the epoch; 0
   * before the first. A deadline that counts from it begins anew with each of them.
   */
  readonly activeAt: number
}

/** Times at which events are proposed as `system`. */
export interface DeadlineType<State, Proposed = DeadlineProposal> {
  readonly name: string
  readonly due: (
    state: State,
    activity: LastActivity,
  ) => At<Proposed> | readonly At<Proposed>[] | Falsy
}

export interface DueEffect extends Due {
  readonly name: string
}

export interface DueDeadline extends At {
  readonly name: string
}

/** The part of a domain that declares its effects, or its deadlines. */
type Declared<Type, Kind extends string> = { readonly name: string } & Readonly<
  Record<Kind, readonly Type[]>
>

/**
 * Lists the effects that a state makes due, in the order of their declarations.
 *
 * @throws {@link InvariantError} when a declaration gives more than {@link DUE_MAX}, or an unusable key
 */
export function dueEffects<State>(
  { name: domain, effects }: Declared<EffectType<State>, 'effects'>,
  state: State,
): readonly DueEffect[] {
  return effects.flatMap(({ name, due }) =>
    listOf(`effect "${name}" of domain "${domain}"`, due(state)).map((each) => ({ ...each, name })),
  )
}

/**
 * Lists the deadlines of a thread, past and future, the earliest first.
 *
 * @throws {@link InvariantError} when a declaration gives more than {@link DUE_MAX}, an unusable key or time
 */
export function dueDeadlines<State>(
  { name: domain, deadlines }: Declared<DeadlineType<State>, 'deadlines'>,
  { state, activeAt }: LastActivity & { readonly state: State },
): readonly DueDeadline[] {
  const all = deadlines.flatMap(({ name, due }) => {
    const what = `deadline "${name}" of domain "${domain}"`
    return listOf(what, due(state, { activeAt })).map((each) => {
      const isTime = typeof each.at === 'number' && !Number.isNaN(each.at)
      assert(isTime, `Cannot wait for ${what}: its \`at\` is no number; give milliseconds`)
      return { ...each, name }
    })
  })
  return all
    .filter(({ at }) => at !== Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.at - other.at)
}

/**
 * Whether a deadline is still due at its time in a newer state. It asks its own declaration alone, and puts
 * nothing in order.
 *
 * @throws {@link InvariantError} as `dueDeadlines`
 */
export function isStillDue<State>(
  { name: domain, deadlines }: Declared<DeadlineType<State>, 'deadlines'>,
  { state, activeAt }: LastActivity & { readonly state: State },
  { name, key, at }: Pick<DueDeadline, 'name' | 'key' | 'at'>,
): boolean {
  const declared = deadlines.find((each) => each.name === name)
  const what = `deadline "${name}" of domain "${domain}"`
  const list = declared ? listOf(what, declared.due(state, { activeAt })) : []
  return list.some((each) => each.key === key && each.at === at)
}

function listOf<Item extends { readonly key: string }>(
  what: string,
  due: Item | readonly Item[] | Falsy,
): readonly Item[] {
  if (!due) return []
  // Narrowed by hand: Array.isArray does not narrow readonly arrays.
  const list = Array.isArray(due) ? (due as readonly Item[]) : [due as Item]
  assert(
    list.length <= DUE_MAX,
    `Cannot list ${what}: ${list.length} are due at once, ${DUE_MAX} may be; leave out ended keys`,
  )
  for (const { key } of list) {
    const fits = typeof key === 'string' && key.length <= DUE_KEY_CHARS_MAX
    assert(fits, `Cannot use the key of ${what}: give a text of ${DUE_KEY_CHARS_MAX} characters`)
  }
  return list
}
