import type { SubagentStartedEvent } from '@ag-ui/core'
import { agentEvent } from '../activity/index.ts'
import { startOf } from '../json/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Ids } from './ids.ts'
import { requireId } from './ids.ts'
import { REMOTE_DEPTH_MAX, REMOTE_VALUE_CHARS_MAX } from './limits.ts'
import { ProgramError } from './program-error.ts'

/** Whose something is: the program itself, or one of its sub-agents, by their place in our tree. */
export interface Owner {
  readonly origin: Origin & { readonly run: string }
  /** Where it hangs; absent for the program itself. */
  readonly parent?: Owner
  isOpen: boolean
}

export interface OwnersParts {
  readonly root: Owner['origin']
  readonly ids: Ids
  readonly put: (event: NewEvent) => void
  /** Ends what an owner left open, before it ends itself. */
  readonly closeItems: (owner: Owner) => void
  /** Our id of a call that is open to a sub-agent of this owner. */
  readonly callOf: (toolCallId: string, owner: Owner) => string | undefined
}

/** A program and its sub-agents, one level below it each. */
export class Owners {
  readonly root: Owner
  readonly #parts: OwnersParts
  readonly #subagents = new Map<string, Owner>()

  constructor(parts: OwnersParts) {
    this.#parts = parts
    this.root = { origin: parts.root, isOpen: true }
  }

  /** Whose an event is. A sub-agent that was never announced is announced now. */
  of(subagentRunId: string | undefined): Owner {
    if (subagentRunId === undefined) return this.root
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
  end(subagentRunId: string, ending: (owner: Owner) => NewEvent): void {
    const owner = this.#subagents.get(subagentRunId)
    if (owner) this.#end(owner, ending)
  }

  /** Ends all that are open still. */
  endAll(): void {
    for (const owner of [...this.#subagents.values()].toReversed()) this.#end(owner, finished)
  }

  #begin({
    subagentRunId,
    name,
    description = '',
    parentSubagentRunId,
    parentToolCallId,
  }: Pick<SubagentStartedEvent, 'subagentRunId' | 'name'> & Partial<SubagentStartedEvent>): Owner {
    const parent = this.#openParent(parentSubagentRunId)
    const above = withoutCall(parent)
    const depth = above.depth + 1
    if (depth - this.root.origin.depth > REMOTE_DEPTH_MAX) {
      const why = `its sub-agents are more than ${REMOTE_DEPTH_MAX} levels deep`
      throw new ProgramError('too_many', `Cannot take the stream: ${why}`)
    }
    const call = parentToolCallId && this.#parts.callOf(parentToolCallId, parent)
    const agent = requireId(name)
    const run = this.#parts.ids.fresh(subagentRunId)
    const origin = {
      ...above,
      agent,
      path: [...(above.path ?? []), agent],
      depth,
      run,
      parentRun: parent.origin.run,
      ...(call ? { call } : {}),
    }
    const owner = { origin, parent, isOpen: true }
    this.#subagents.set(subagentRunId, owner)
    const told = startOf(description, REMOTE_VALUE_CHARS_MAX)
    const started = {
      subagentRunId: run,
      name: agent,
      ...(told === '' ? {} : { description: told }),
      ...(above.depth > 0 ? { parentSubagentRunId: above.run } : {}),
      ...(call ? { parentToolCallId: call } : {}),
    }
    this.#parts.put(agentEvent('SUBAGENT_STARTED', started, origin))
    return owner
  }

  #openParent(id: string | undefined): Owner {
    const parent = id === undefined ? undefined : this.#subagents.get(id)
    return parent?.isOpen ? parent : this.root
  }

  #end(owner: Owner, ending: (owner: Owner) => NewEvent): void {
    if (!owner.isOpen) return
    for (const each of [...this.#subagents.values()].toReversed()) {
      if (each.parent === owner) this.#end(each, finished)
    }
    this.#parts.closeItems(owner)
    owner.isOpen = false
    this.#parts.put(ending(owner))
  }
}

/** The call that a run is for is not that of the runs below it. */
function withoutCall({ origin }: Owner): Omit<Owner['origin'], 'call'> {
  const above = { ...origin }
  delete above.call
  return above
}

function finished({ origin }: Owner): NewEvent {
  const outcome = { type: 'success' as const }
  return agentEvent('SUBAGENT_FINISHED', { subagentRunId: origin.run, outcome }, origin)
}
