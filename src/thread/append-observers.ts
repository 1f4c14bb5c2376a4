import type { LogRecord } from '../log/index.ts'

/** Gets records that this process has just appended, at once; it must be quick. */
export type ObserveAppend = (records: readonly LogRecord[]) => void

/** Those who look at what is appended. Where nobody does, an append calls nothing more. */
export class AppendObservers {
  readonly #all = new Set<ObserveAppend>()
  appended: ObserveAppend | undefined

  /** Returns a function that takes the observer back. */
  add(observe: ObserveAppend): () => void {
    this.#all.add(observe)
    this.appended = (records) => {
      for (const each of this.#all) each(records)
    }
    return () => {
      this.#all.delete(observe)
      if (this.#all.size === 0) this.appended = undefined
    }
  }
}
