import { stableId } from '../gate/index.ts'
import type { ModelToolCall } from '../models/index.ts'
import type { RunScope } from './scope.ts'
import { requireNotCancelled } from './stop-reason.ts'
import { TOOL_PROPOSALS_MAX } from './tool.ts'
import type { Proposed, ToolProposal } from './tool.ts'
import { jsonOf } from './tool-result.ts'
import { withinEmits } from './within-emits.ts'

/** The events that one call of a tool proposes, in the name of its agent. */
export class ToolProposals<State> {
  readonly #scope: RunScope<State>
  readonly #call: ModelToolCall
  readonly #signal: AbortSignal
  #commits: Promise<unknown> = Promise.resolve()
  #count = 0
  #closed = false

  constructor(scope: RunScope<State>, call: ModelToolCall, signal: AbortSignal) {
    this.#scope = scope
    this.#call = call
    this.#signal = signal
  }

  async propose(events: readonly ToolProposal[]): Promise<Proposed<State>> {
    const first = this.#count
    this.#count += events.length
    if (this.#closed) throw new Error(`Cannot propose: the call of "${this.#call.name}" has ended`)
    if (this.#count > TOOL_PROPOSALS_MAX) {
      const why = `one call of a tool may propose ${TOOL_PROPOSALS_MAX} events`
      throw new Error(`Cannot propose: ${why}; propose fewer`)
    }
    // A value without JSON is the tool's fault, and no reason to end the run.
    const plain = events.map(({ type, data }) => ({ type, data: jsonOf(data) }))
    const commit = this.#commit(plain, first)
    this.#commits = this.#commits.then(() => commit)
    // Whoever awaits `close` is told of a failure.
    this.#commits.catch(() => undefined)
    return commit
  }

  /** @throws whatever kept a proposal from being recorded: it ends the run */
  async close(): Promise<void> {
    this.#closed = true
    await this.#commits
  }

  async #commit(events: readonly ToolProposal[], first: number): Promise<Proposed<State>> {
    const { turn, agent, origin } = this.#scope
    const proposals = events.map(({ type, data }, at) => ({
      id: stableId(turn.thread, origin.run, this.#call.id, 'proposal', String(first + at)),
      type,
      data,
      origin: { ...origin, source: 'model' as const },
    }))
    const { answers, snapshot } = await turn.commit(withinEmits(agent, proposals), {
      typed: turn.typed,
      check: ({ openRuns }) => {
        this.#signal.throwIfAborted()
        requireNotCancelled(origin.run, openRuns)
      },
    })
    return {
      accepted: answers.flatMap(({ record, refusal }) => (refusal ? [] : [record])),
      refused: answers.flatMap(({ refusal }, at) =>
        refusal ? [{ ...refusal, type: events[at]?.type ?? '' }] : [],
      ),
      state: snapshot.state,
    }
  }
}
