import { refusedIn, stableId } from '../../gate/index.ts'
import type { ModelToolCall } from '../../models/index.ts'
import { requireEvents } from '../scope/client-request.ts'
import type { RunScope } from '../scope/scope.ts'
import { requireNotCancelled } from '../scope/stop-reason.ts'
import { TOOL_PROPOSALS_MAX } from '../define/tool.ts'
import type { ProposalResult, ToolProposal } from '../define/tool.ts'
import { jsonOf } from '../scope/tool-result.ts'
import { withinEmits } from './within-emits.ts'

/** The events that one call of a tool proposes, in the name of its agent. */
export class ToolProposals<State> {
  readonly #scope: RunScope<State>
  readonly #call: ModelToolCall
  readonly #signal: AbortSignal
  #settled: Promise<unknown> = Promise.resolve()
  #fault: { readonly error: unknown } | undefined
  #count = 0
  #closed = false

  constructor(scope: RunScope<State>, call: ModelToolCall, signal: AbortSignal) {
    this.#scope = scope
    this.#call = call
    this.#signal = signal
  }

  propose(events: readonly ToolProposal[]): Promise<ProposalResult<State>> {
    const done = this.#propose(events)
    // A tool that does not wait for it must not end the process.
    done.catch(() => undefined)
    return done
  }

  /** @throws whatever kept a proposal from being recorded: it ends the run */
  async close(): Promise<void> {
    this.#closed = true
    await this.#settled
    if (this.#fault) throw this.#fault.error
  }

  async #propose(events: readonly ToolProposal[]): Promise<ProposalResult<State>> {
    requireEvents('propose', events)
    const first = this.#count
    this.#count += events.length
    if (this.#closed) throw new CallEnded(this.#call.name)
    if (this.#count > TOOL_PROPOSALS_MAX) {
      const why = `one call of a tool may propose ${TOOL_PROPOSALS_MAX} events`
      throw new Error(`Cannot propose: ${why}; propose fewer`)
    }
    const plain = events.map(({ type, data }) => ({ type, data: asJson(data) }))
    const commit = this.#commit(plain, first)
    this.#settled = Promise.allSettled([this.#settled, commit])
    try {
      return await commit
    } catch (error) {
      if (!(error instanceof CallEnded)) this.#fault ??= { error }
      throw error
    }
  }

  async #commit(events: readonly ToolProposal[], first: number): Promise<ProposalResult<State>> {
    const { turn, agent, origin, signal } = this.#scope
    const approvedBy = turn.approvedBy.get(this.#call.id)
    const proposals = events.map(({ type, data }, at) => ({
      id: stableId(turn.thread, origin.run, this.#call.id, 'proposal', String(first + at)),
      type,
      data,
      origin: { ...origin, source: 'model' as const, ...(approvedBy && { approvedBy }) },
    }))
    const allowed = withinEmits(agent, proposals, this.#call.name)
    const { answers, derived, snapshot } = await turn.commit(allowed, {
      typed: turn.typed,
      check: ({ openRuns }) => {
        signal.throwIfAborted()
        requireNotCancelled(origin.run, openRuns)
        // After a timeout the run goes on, and the model reads of it.
        if (this.#signal.aborted) throw new CallEnded(this.#call.name)
      },
    })
    return {
      accepted: answers.flatMap(({ record, refusal }) => (refusal ? [] : [record])),
      records: [...answers.map(({ record }) => record), ...derived],
      refused: refusedIn(
        events.map(({ type }) => type),
        answers,
      ).map((each) => ({ ...each, refused: each.reason })),
      state: snapshot.state,
    }
  }
}

/** A value as JSON carries it; one without JSON as it is, so that the gate refuses it and says where. */
function asJson(data: unknown): unknown {
  try {
    return jsonOf(data)
  } catch {
    return data
  }
}

class CallEnded extends Error {
  constructor(tool: string) {
    super(`Cannot propose: the call of "${tool}" has ended`)
  }
}
