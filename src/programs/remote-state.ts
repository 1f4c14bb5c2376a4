import { PatchError, applyPatch } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Origin, NewEvent } from '../log/index.ts'
import { customTagged } from '../step/index.ts'
import { isRecordable } from './recordable.ts'
import type { ProgramFault } from './mend.ts'

/** The state that a program reports. By itself it is observed only: no state of ours depends on it. */
export class RemoteState {
  #state: Json
  #isNews = false
  readonly #warn: (fault: ProgramFault) => void
  readonly #changed: ((state: Json) => void) | undefined

  /** `changed` gets each state, which is not put on record here then. */
  constructor(state: Json, warn: (fault: ProgramFault) => void, changed?: (state: Json) => void) {
    this.#state = state
    this.#warn = warn
    this.#changed = changed
  }

  replace(state: Json): void {
    this.#state = state
    if (this.#changed) this.#changed(state)
    else this.#isNews = true
  }

  change(patch: Json): void {
    try {
      this.replace(applyPatch(this.#state, patch))
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      this.#warn('stray_event')
    }
  }

  /** The state as it is at the end of the stream, where the program told one. */
  record(origin: Origin): readonly NewEvent[] {
    if (!this.#isNews) return []
    const value = isRecordable(this.#state)
      ? { state: this.#state }
      : { chars: JSON.stringify(this.#state).length }
    return [customTagged('remote_state', value, origin)]
  }
}
