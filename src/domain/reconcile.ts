import { assert } from '../assert/index.ts'
import { decide } from './decide.ts'
import type { DecidedEvent } from './decide.ts'
import type { Domain, Rule } from './define-domain.ts'
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
 * @throws {@link InvariantError} when a rule proposes what the gate refuses, or when quiet is not
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
    const rule = domain.rules.find((candidate) => fires(candidate, state, context.pass))
    if (!rule) return { state, events, fired }
    fired.push(rule.name)
    for (const event of applyRule(domain, state, { rule, context })) {
      events.push(event)
      state = evolve(domain, state, event)
    }
  }
  assert(false, `Cannot reconcile: no quiet after ${RECONCILE_ROUNDS_MAX} rounds: ${fired.join()}`)
}

function fires<State>(rule: Rule<State>, state: State, pass: 'derive' | 'submit'): boolean {
  return (pass === 'submit' || !rule.submits) && rule.propose(state).length > 0
}

function* applyRule<State>(
  domain: Domain<State>,
  state: State,
  firing: { rule: Rule<State>; context: ReconcileContext },
): Generator<DecidedEvent> {
  const { rule, context } = firing
  const cause = context.causes?.[rule.name]
  const origin = { source: 'rule', rule: rule.name, depth: 0, ...(cause ? { cause } : {}) } as const
  let current = state
  for (const { type, data } of rule.propose(state)) {
    const proposal = { id: context.id(), type, data, origin }
    const decision = decide(domain, current, { proposal, now: context.now })
    assert(!('refused' in decision), `Cannot reconcile: ${rule.name} proposed a refused "${type}"`)
    current = evolve(domain, current, decision.accepted)
    yield decision.accepted
  }
}
