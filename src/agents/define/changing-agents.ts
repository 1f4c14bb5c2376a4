import type { Agent } from './agent.ts'

/**
 * Makes changed copies of agents and of all that they lead to, each once: two agents that call each other stay two.
 */
export function changingAgents<State>(
  change: (agent: Agent<State>) => Partial<Agent<State>>,
): (agent: Agent<State>) => Agent<State> {
  const made = new Map<Agent<State>, Agent<State>>()
  const changed = (agent: Agent<State>): Agent<State> => {
    const known = made.get(agent)
    if (known) return known
    const copy: Agent<State> = {
      ...agent,
      ...change(agent),
      agents: () => agent.agents().map(changed),
      handoffs: () => agent.handoffs().map(changed),
    }
    made.set(agent, copy)
    return copy
  }
  return changed
}
