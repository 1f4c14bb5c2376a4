import type { SubagentStartedEvent } from '@ag-ui/core'
import { startOf } from '../json/index.ts'
import type { Calls } from './calls.ts'
import { requireId } from './ids.ts'
import type { Owner, StreamParts } from './items.ts'
import { REMOTE_DEPTH_MAX, REMOTE_VALUE_CHARS_MAX } from './limits.ts'
import { streamRefused } from './program-error.ts'

type Ending = readonly ['SUBAGENT_FINISHED' | 'SUBAGENT_ERROR', Readonly<Record<string, unknown>>]

const FINISHED: Ending = ['SUBAGENT_FINISHED', { outcome: { type: 'success' } }]

/** A program and its sub-agents, one level below it each. */
export class Owners {
  readonly #parts: StreamParts
  readonly #calls: Calls
  readonly #subagents = new Map<string, Owner>()

  constructor(parts: StreamParts, calls: Calls) {
    this.#parts = parts
    this.#calls = calls
  }

  /** The owner of an event. A sub-agent that was never announced is announced now. */
  of(subagentRunId: string | undefined): Owner {
    if (subagentRunId === undefined) return this.#parts.root
    const known = this.#subagents.get(subagentRunId)
    if (known?.isOpen) return known
    return this.#begin({ subagentRunId, name: known?.origin.agent ?? 'sub-agent' })
  }

  start(event: SubagentStartedEvent): void {
    // It was announced by the first event that named it.
    if (this.#subagents.get(event.subagentRunId)?.isOpen) return
    this.#begin(event)
  }

  /** Ends a sub-agent and those below it, the deepest first. */
  end(subagentRunId: string, ending: Ending): void {
    const owner = this.#subagents.get(subagentRunId)
    if (owner) this.#end(owner, ending)
  }

  /** Ends the sub-agents that the program left open. */
  endAll(): void {
    for (const owner of [...this.#subagents.values()].toReversed()) this.#end(owner, FINISHED)
  }

  #begin({
    subagentRunId,
    name,
    description = '',
    parentSubagentRunId,
    parentToolCallId,
  }: Pick<SubagentStartedEvent, 'subagentRunId' | 'name'> & Partial<SubagentStartedEvent>): Owner {
    const { root, ids, items } = this.#parts
    const parent = this.#openParent(parentSubagentRunId)
    // The call that a run is for is not that of the runs below it.
    const above = { ...parent.origin }
    delete above.call
    const depth = above.depth + 1
    if (depth - root.origin.depth > REMOTE_DEPTH_MAX) {
      const why = `its sub-agents are more than ${REMOTE_DEPTH_MAX} levels deep`
      throw streamRefused('too_many', why)
    }
    const call = parentToolCallId && this.#calls.openFor(parentToolCallId, parent)
    const agent = requireId(name)
    const run = ids.fresh(subagentRunId)
    const origin = {
      ...above,
      agent,
      path: [...(above.path ?? []), agent],
      depth,
      run,
      parentRun: above.run,
      ...(call ? { call } : {}),
    }
    const owner = { origin, parent, isOpen: true }
    this.#subagents.set(subagentRunId, owner)
    const told = startOf(description, REMOTE_VALUE_CHARS_MAX)
    const started = {
      name: agent,
      ...(told === '' ? {} : { description: told }),
      ...(above.depth > 0 ? { parentSubagentRunId: above.run } : {}),
      ...(call ? { parentToolCallId: call } : {}),
    }
    items.record('SUBAGENT_STARTED', started, owner)
    return owner
  }

  #openParent(id: string | undefined): Owner {
    const parent = id === undefined ? undefined : this.#subagents.get(id)
    return parent?.isOpen ? parent : this.#parts.root
  }

  #end(owner: Owner, [type, members]: Ending): void {
    if (!owner.isOpen) return
    for (const each of [...this.#subagents.values()].toReversed()) {
      if (each.parent === owner) this.#end(each, FINISHED)
    }
    const { items } = this.#parts
    items.endAllOf(owner)
    this.#calls.giveUp(owner)
    owner.isOpen = false
    items.record(type, members, owner)
  }
}
