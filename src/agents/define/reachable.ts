import type { Agent } from './agent.ts'

/** Agents and all that they lead to: by calls and hand-offs, or in the way that `next` says. */
export function reachable<State>(
  from: readonly Agent<State>[],
  next: (agent: Agent<State>) => readonly Agent<State>[] = callsAndHandoffs,
): readonly Agent<State>[] {
  const seen = new Set(from)
  for (const agent of seen) for (const other of next(agent)) seen.add(other)
  return [...seen]
}

function callsAndHandoffs<State>(agent: Agent<State>): readonly Agent<State>[] {
  return [...agent.agents(), ...agent.handoffs()]
}
