import type { Program } from '../agents/index.ts'
import { programOf } from './ingest.ts'
import { SessionPool } from './session-pool.ts'
import type { StartSession } from './session-pool.ts'
import { SessionRun } from './session-source.ts'

/** A program with processes of its own. */
export interface ProcessProgram extends Program {
  /** Ends its processes. */
  readonly close: () => Promise<void>
}

/** A program with one process for each conversation; tokens are counted in the name of `provider`. */
export function processProgram(start: StartSession, provider: string): ProcessProgram {
  const pool = new SessionPool(start)
  const program = programOf('process', (input, { signal }) =>
    new SessionRun(pool, provider, input).events(signal),
  )
  return { ...program, close: () => pool.close() }
}
