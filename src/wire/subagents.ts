import type { SubagentStartedEvent } from '@ag-ui/core'
import { outOfOrder } from './wire-error.ts'

/** The sub-agents of one run. An id names one invocation: it starts once and ends once. */
export class Subagents {
  readonly #state = new Map<string, 'open' | 'ended'>()
  #open = 0

  get openCount(): number {
    return this.#open
  }

  /** The open ones, for a message. */
  get open(): readonly string[] {
    return [...this.#state].flatMap(([id, state]) =>
      state === 'open' ? [`sub-agent "${id}"`] : [],
    )
  }

  start({ type, subagentRunId: id, parentSubagentRunId: parent }: SubagentStartedEvent): void {
    const state = this.#state.get(id)
    if (state) {
      throw outOfOrder(
        type,
        `sub-agent "${id}" ${state === 'open' ? 'is open' : 'has ended'} already`,
      )
    }
    if (parent !== undefined && !this.#state.has(parent)) {
      throw outOfOrder(type, `its parent "${parent}" has not started`)
    }
    this.#state.set(id, 'open')
    this.#open++
  }

  end(type: string, id: string): void {
    if (this.#state.get(id) !== 'open') throw outOfOrder(type, `no sub-agent "${id}" is open`)
    this.#state.set(id, 'ended')
    this.#open--
  }

  clear(): void {
    this.#state.clear()
    this.#open = 0
  }
}
