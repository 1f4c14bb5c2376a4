import { AgentError } from '../../agents/index.ts'
import type { FramePosition } from '../../faces/index.ts'
import { logDeadTurn } from '../streams/dead-turn.ts'
import { aguiTurn } from './agui-turns.ts'
import type { AguiRequest, AguiTurn, AguiTurnOptions } from './agui-turns.ts'
import type { RouteParts } from './route-parts.ts'
import type { Entered } from './thread-entry.ts'

/** A position that a reader names, with its text. */
export interface Cursor extends FramePosition {
  readonly id: string
}

interface FindOptions extends Pick<AguiTurnOptions, 'unasked'> {
  readonly after?: Cursor | undefined
}

/** Finds or begins the turns that pages ask for, over whatever protocol. */
export class ClientTurns {
  readonly #parts: Pick<RouteParts, 'throughline' | 'quotas' | 'logger'>
  /** Requests that are finding or beginning their turn: the same one again must not wait behind itself. */
  readonly #finding = new Map<string, Promise<AguiTurn>>()

  constructor(parts: Pick<RouteParts, 'throughline' | 'quotas' | 'logger'>) {
    this.#parts = parts
  }

  of(entered: Entered, request: AguiRequest, { after, unasked }: FindOptions): Promise<AguiTurn> {
    const { thread, entrant } = entered
    const { runId, resume = [] } = request.input
    const key = JSON.stringify([thread, request.agent, runId, resume, after])
    const same = this.#finding.get(key)
    if (same) return same
    const { throughline, quotas, logger } = this.#parts
    const finding = aguiTurn(entered, request, {
      after,
      positionOf: async (id) => (await throughline.log.find(thread, id))?.seq,
      unasked,
      admit: () => quotas.takeTurn(entrant),
      failed: logDeadTurn(logger, thread),
    }).finally(() => this.#finding.delete(key))
    this.#finding.set(key, finding)
    return finding
  }
}

export function nothingAsked(): AgentError {
  const why = 'nothing waits for it: it was answered before, or given up; ask for the thread again'
  return new AgentError('not_waiting', `Cannot take the answer: ${why}`)
}
