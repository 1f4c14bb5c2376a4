import type { Logger } from 'pino'
import { AgentError } from '../../agents/index.ts'
import { GateError } from '../../gate/index.ts'
import { LogError } from '../../log/index.ts'

/** Logs why a turn died. A refusal was in the answer already; a turn that died after it has no other reader. */
export function logDeadTurn(logger: Logger, thread: string): (error: unknown) => void {
  return (error) => {
    // Another caller began the thread meanwhile.
    const isLostBeginning = error instanceof LogError && error.code === 'version_conflict'
    if (error instanceof AgentError || error instanceof GateError || isLostBeginning) return
    logger.error({ err: error, thread }, 'a turn died')
  }
}
