import type { Pauses, Wait, WaitingTurn } from '../../activity/index.ts'
import { AgentError } from '../define/agent-error.ts'

/** The questions that a thread had asked when an answer arrived: the answer is for no later one. */
export class OpenQuestions {
  readonly #ids = new Set<string>()

  /** A question counts from its own record on: its reader may answer before its run has stopped. */
  see({ asked, waiting, approvals }: Pick<Pauses, 'asked' | 'waiting' | 'approvals'>): void {
    const open = [...asked, ...approvals].map(({ wait }) => wait)
    const waits = [...open, ...waiting.flatMap((turn) => turn.waits)]
    for (const { id } of waits) this.#ids.add(id)
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0
  }

  hold(waits: readonly Pick<Wait, 'id'>[]): boolean {
    return waits.every(({ id }) => this.#ids.has(id))
  }
}

/** Whether a turn still takes an answer that comes by a surface; without one the program vouches for it. */
export function takesAnswerOf(waiting: WaitingTurn, surface: string | undefined): boolean {
  if (waiting.cancelledBy !== undefined) return false
  return surface === undefined || waiting.surface === undefined || waiting.surface === surface
}

export function nothingWaits(thread: string, agent: string): AgentError {
  const why = 'it waits for none of these answers'
  return new AgentError('not_waiting', `Cannot answer "${agent}" in "${thread}": ${why}`)
}

export function notWaiting(thread: string, run: string): AgentError {
  const why = 'it waits for nothing'
  return new AgentError('not_waiting', `Cannot resume run ${run} in "${thread}": ${why}`)
}

export function stillWaiting(thread: string, { run, waits }: WaitingTurn): AgentError {
  const keys = waits.flatMap(({ requestKeys }) => Object.keys(requestKeys)).join(', ')
  return new AgentError(
    'waiting_for_input',
    `Cannot start a turn in "${thread}": run ${run} waits for ${keys}; resume or cancel it`,
    { discreet: 'Cannot start a turn: another waits for an answer; resume or cancel it' },
  )
}
