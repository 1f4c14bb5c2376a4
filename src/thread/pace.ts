import { nextTurn } from '../platform/index.ts'

/** The longest time that a long read blocks the event loop. */
export const SLICE_MAX_MS = 5

/** Cuts a long read into slices, between which the process does other work. */
export class Pace {
  #sliceStart = performance.now()

  get isDue(): boolean {
    return performance.now() - this.#sliceStart >= SLICE_MAX_MS
  }

  /** Waits for other work when the slice is over. */
  async rest(): Promise<void> {
    if (!this.isDue) return
    await nextTurn()
    this.#sliceStart = performance.now()
  }
}
