import { Runs } from '../../src/agents/index.ts'
import type { Agent } from 'throughline'
import type { CancelRequest, RunsParts, TurnRequest } from '../../src/agents/index.ts'
import { endedTurn } from '../../apps/broker/routes/turn-result.ts'
import type { TurnResult } from '../../apps/broker/routes/turn-result.ts'

/** Turns of narrators, with their results as the broker's chat routes read them. */
export class Narration<State> {
  readonly #parts: Omit<RunsParts<State>, 'agents'>
  readonly #runs = new Map<Agent<State>, Runs<State>>()

  constructor(parts: Omit<RunsParts<State>, 'agents'>) {
    this.#parts = parts
  }

  /** The engine that runs this narrator. */
  runs(narrator: Agent<State>): Runs<State> {
    const known = this.#runs.get(narrator)
    if (known) return known
    const runs = new Runs<State>({ ...this.#parts, agents: [narrator] })
    this.#runs.set(narrator, runs)
    return runs
  }

  async run(
    thread: string,
    narrator: Agent<State>,
    request: Omit<TurnRequest, 'agent'>,
  ): Promise<TurnResult> {
    const turn = this.runs(narrator).start(thread, { agent: narrator.name, ...request })
    await turn.result
    return endedTurn(this.#parts.log, thread, turn.run)
  }

  async cancel(thread: string, request: CancelRequest): Promise<boolean> {
    const answers = [...this.#runs.values()].map((runs) => runs.cancel(thread, request))
    return (await Promise.all(answers)).includes(true)
  }
}
