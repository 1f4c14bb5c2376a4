import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Posting } from './posting.ts'

/** Writers in a process of their own, so that their work is not done on the server's thread. */
export class AppendWriters {
  readonly #child: ChildProcess

  constructor(posting: Posting) {
    this.#child = fork(new URL('posting.ts', import.meta.url), [JSON.stringify(posting)])
  }

  /** Resolves, when all have been answered, with how many were answered well. */
  async post(count: number): Promise<number> {
    const answered = once(this.#child, 'message')
    this.#child.send(count)
    const [well] = (await answered) as [number]
    return well
  }
}
