import { PatchError, applyPatch } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { broken } from './client-error.ts'
import { position } from './payload.ts'
import type { ThreadState } from './thread-update.ts'

/** Reads the frames of a thread's state, whole ones and deltas. */
export class StateFrames {
  #latest: ThreadState | undefined

  /**
   * @throws {@link ClientError} `protocol`, when a delta has another base too: the next connection
   *   begins with a whole state
   */
  readonly take = ({ seq: given, base, delta = null, state }: JsonObject): ThreadState => {
    const seq = position(given, 'the seq of the state')
    this.#latest = { type: 'state', seq, state: state ?? after(this.#at(base), delta) }
    return this.#latest
  }

  #at(seq: Json | undefined): Json {
    if (this.#latest && this.#latest.seq === seq) return this.#latest.state
    throw broken(`the state goes on from seq ${JSON.stringify(seq)}, which was not shown`)
  }
}

function after(state: Json, delta: Json): Json {
  try {
    return applyPatch(state, delta)
  } catch (error) {
    if (error instanceof PatchError)
      throw broken(`a delta does not fit the state: ${error.message}`)
    throw error
  }
}
