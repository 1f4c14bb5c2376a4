import { isObjectMember } from '../domain/index.ts'
import type { LogRecord } from '../log/index.ts'
import { stableId } from '../gate/index.ts'

export interface CallIdParts {
  readonly thread: string
  /** Looks up a record of the thread by its id; tries again while the store is away. */
  readonly find: (id: string) => Promise<LogRecord | undefined>
  readonly id: () => string
}

/**
 * Gives the tool calls of a turn ids that no other call of their thread has ever had. The first record of
 * a call has an id made from the call's own, so the log is asked which are taken: a list of them would
 * grow with the thread.
 */
export class CallIds {
  readonly #parts: CallIdParts
  /** The call ids of this turn, on record or not. */
  readonly #given = new Set<string>()

  constructor(parts: CallIdParts) {
    this.#parts = parts
  }

  /** The model's own id, if no other call has it and it can be the name of a value in an answer. */
  async fresh(wanted: string): Promise<string> {
    const { find, id } = this.#parts
    const unusable = wanted === '' || isObjectMember(wanted) || this.#given.has(wanted)
    // Before the log is asked: agents that work at once may want the same.
    this.#given.add(wanted)
    return unusable || (await find(this.recordId(wanted))) ? `${wanted}_${id()}` : wanted
  }

  /** The id of the record that begins a call. */
  recordId(call: string): string {
    return stableId(this.#parts.thread, 'tool_call', call)
  }
}
