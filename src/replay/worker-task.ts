import type { AgainOptions } from './decide-again.ts'
import type { StoredThreadsOptions } from './stored-threads.ts'

/** What a worker that replays threads is given. */
export interface WorkerTask extends StoredThreadsOptions {
  /** The addresses of modules. */
  readonly against: string
  readonly base?: string | undefined
  readonly level: AgainOptions['level']
}
