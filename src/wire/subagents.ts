import type { SubagentStartedEvent } from '@ag-ui/core'
import { outOfOrder } from './wire-error.ts'

/** The sub-agents of one run. An id names one invocation: it starts once and ends once. */
export class Subagents {
  readonly #started = new Set<string>()
  readonly #open = new Set<string>()

  get openCount(): number {
    return this.#open.size
  }

  /** The open ones, for a message. */
  get open(): readonly string[] {
    return Array.from(this.#open, (id) => `sub-agent "${id}"`)
  }

  start({ type, subagentRunId: id, parentSubagentRunId: parent }: SubagentStartedEvent): void {
    if (this.#started.has(id)) {
      const state = this.#open.has(id) ? 'is open' : 'has ended'
      throw outOfOrder(type, `sub-agent "${id}" ${state} already`)
    }
    if (parent !== undefined && !this.#started.has(parent)) {
      throw outOfOrder(type, `its parent "${parent}" has not started`)
    }
    this.#started.add(id)
    this.#open.add(id)
  }

  end(type: string, id: string): void {
    if (!this.#open.delete(id)) throw outOfOrder(type, `no sub-agent "${id}" is open`)
  }

  clear(): void {
    this.#started.clear()
    this.#open.clear()
  }
}
