import { startOf } from 'throughline/client'
import type { SessionEvent } from 'throughline/server/extend'
import type { Derivation } from './proposal.ts'

const FAULT_CHARS_MAX = 300
/** Faults of one process that are recorded one by one; beyond them, each tenfold count is. */
const FAULTS_MAX = 10

/** The lines of one process that cannot be used: a program that prints nothing else does not fill the log. */
export class Faults {
  #count = 0
  #next = 1

  take({ fault, detail }: Extract<SessionEvent, { type: 'fault' }>): readonly Derivation[] {
    if (++this.#count < this.#next) return []
    this.#next = this.#count < FAULTS_MAX ? this.#count + 1 : this.#count * 10
    const line = `(${fault}): ${startOf(detail, FAULT_CHARS_MAX)}`
    const message =
      this.#count <= FAULTS_MAX
        ? `Cannot use a line of the program ${line}`
        : `Cannot use ${this.#count} lines of the program since its start, the newest ${line}`
    return [{ type: 'server_error', data: { message, code: 'unknown' } }]
  }
}
