import { snakeCase } from './agent.ts'
import type { Agent } from './agent.ts'
import { reachable } from './reachable.ts'

/** The names of agents and all that they lead to, and of what their models may call. */
export function knownNames<State>(agents: readonly Agent<State>[]): ReadonlySet<string> {
  return new Set(
    reachable(agents).flatMap(({ name, tools, emits = [] }) => [
      name,
      `call_${snakeCase(name)}`,
      `handoff_to_${snakeCase(name)}`,
      ...tools.keys(),
      ...emits.map((type) => `propose_${snakeCase(type)}`),
    ]),
  )
}
