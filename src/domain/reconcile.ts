import { assert } from '../assert/index.ts'
import { kindOf } from '../json/index.ts'
import { decide } from './decide.ts'
import type { DecidedEvent } from './decide.ts'
import type { Domain, Rule, RuleProposal } from './define-domain.ts'
import { evolve } from './evolve.ts'

/** More rounds than this without quiet means that two rules feed each other. */
export const RECONCILE_ROUNDS_MAX = 16

export interface ReconcileContext {
  readonly now: number
  /** A fresh UUID for each event that a rule proposes. */
  readonly id: () => string
  /** `submit` lets rules that start work in the world fire; `derive` does not. */
  readonly pass: 'derive' | 'submit'
  /** The id of the record that last caused each rule, by rule name. */
  readonly causes?: Readonly<Record<string, string>>
}

export interface Reconciled<State> {
  readonly state: State
  readonly events: readonly DecidedEvent[]
  readonly fired: readonly string[]
}

/**
 * Runs the rules in their order until none proposes. Pure; reconciling twice equals once.
 *
 * @throws {@link InvariantError} when a rule returns no list or proposes what the gate refuses, or when quiet is not
 *   reached in {@link RECONCILE_ROUNDS_MAX} rounds.
 */
export function reconcile<State>(
  domain: Domain<State>,
  state: State,
  context: ReconcileContext,
): Reconciled<State> {
  const events: DecidedEvent[] = []
  const fired: string[] = []
  for (let round = 0; round < RECONCILE_ROUNDS_MAX; round++) {
    const firing = firstFiring(domain, state, context.pass)
    if (!firing) return { state, events, fired }
    fired.push(firing.rule.name)
    for (const proposal of firing.proposals) {
      const event = accept(domain, state, { ...firing, proposal, context })
      events.push(event)
      state = evolve(domain, state, event)
    }
  }
  assert(
    false,
    `Cannot reconcile: no quiet after ${RECONCILE_ROUNDS_MAX} rounds: ${fired.join()}; ` +
      'a rule must propose nothing once its events have happened',
  )
}

function firstFiring<State>(domain: Domain<State>, state: State, pass: 'derive' | 'submit') {
  for (const rule of domain.rules) {
    if (rule.submits && pass !== 'submit') continue
    const proposals = rule.propose(state)
    // A program without types may return anything.
    if (!Array.isArray(proposals)) refuseResult(rule.name, proposals)
    if (proposals.length > 0) return { rule, proposals }
  }
  return undefined
}

function refuseResult(rule: string, returned: unknown): never {
  assert(
    false,
    `Cannot reconcile: rule "${rule}" returned ${kindOf(returned)}; ` +
      'return a list of { type, data }, an empty one to propose nothing',
  )
}

function accept<State>(
  domain: Domain<State>,
  state: State,
  given: { rule: Rule<State>; proposal: RuleProposal; context: ReconcileContext },
): DecidedEvent {
  const { rule, context } = given
  const { type, data } = given.proposal
  const cause = context.causes?.[rule.name]
  const origin = { source: 'rule', rule: rule.name, depth: 0, ...(cause ? { cause } : {}) } as const
  const proposal = { id: context.id(), type, data, origin }
  const decision = decide(domain, state, { proposal, now: context.now })
  if ('refused' in decision) {
    // Without the detail of the refusal: it may quote a person, and errors are logged.
    const by = domain.events.get(type)?.by
    assert(
      false,
      `Cannot reconcile: rule "${rule.name}" proposed "${type}", refused as ${decision.refused}; ` +
        (by === undefined || by.some(({ source }) => source === 'rule')
          ? "a rule may propose only what the event's schema, `by` and guard accept"
          : "add { source: 'rule' } to the event's `by`"),
    )
  }
  return decision.accepted
}
