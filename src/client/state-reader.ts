import { PatchError, applyPatch } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { broken } from './client-error.ts'
import { position } from './payload.ts'
import type { ThreadState } from './thread-update.ts'

/**
 * Makes a reader of the frames of a thread's state, whole ones and deltas. It throws {@link ClientError}
 * `protocol` for a delta on another state too: the next connection begins with a whole state.
 */
export function stateReader(): (frame: JsonObject) => ThreadState {
  let latest: ThreadState | undefined
  const stateAt = (seq: Json | undefined): Json => {
    if (latest && latest.seq === seq) return latest.state
    throw broken(`the state goes on from seq ${JSON.stringify(seq)}, which was not shown`)
  }
  return ({ seq: given, base, delta = null, state }) => {
    const seq = position(given, 'the seq of the state')
    latest = { type: 'state', seq, state: state ?? after(stateAt(base), delta) }
    return latest
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
