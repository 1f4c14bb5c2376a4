import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'

/** Builds what a component reads out of the records of a thread, in order. */
export interface ViewBuilder<View> {
  take(record: LogRecord): void
  /**
   * Starts over from the thread's state after the record at `seq`: the records taken so far are void, and those
   * behind it follow. From −1 on, that is all of them.
   */
  reset(state: Json, seq: number): void
  /** Gives a value that later records do not change. */
  view(): View
}

export interface FoldOptions<View, Rec = LogRecord> {
  readonly records?: never
  readonly initial: View
  /** Gives the view after one more record; pure. */
  readonly fold: (view: View, record: Rec) => View
  /** Gives the view of a thread whose earlier records will not be sent again. */
  readonly restore: (state: Json) => View
}

export class FoldedView<View> implements ViewBuilder<View> {
  readonly #options: FoldOptions<View>
  #view: View

  constructor(options: FoldOptions<View>) {
    this.#options = options
    this.#view = options.initial
  }

  take(record: LogRecord): void {
    this.#view = this.#options.fold(this.#view, record)
  }

  reset(state: Json, seq: number): void {
    const { initial, restore } = this.#options
    this.#view = seq < 0 ? initial : restore(state)
  }

  view(): View {
    return this.#view
  }
}

/** For a page that reads no record. */
export const NO_VIEW: ViewBuilder<undefined> = {
  take: () => undefined,
  reset: () => undefined,
  view: () => undefined,
}

/** Records that {@link LatestRecords} keeps; older ones are dropped first. */
export const RECORDS_KEPT_MAX = 10_000

/** The latest records themselves. */
export class LatestRecords implements ViewBuilder<readonly LogRecord[]> {
  #records: LogRecord[] = []

  take(record: LogRecord): void {
    this.#records.push(record)
    // Dropping one at a time would move all the others for each.
    if (this.#records.length >= 2 * RECORDS_KEPT_MAX) this.#records = this.#latest()
  }

  reset(): void {
    this.#records = []
  }

  view(): readonly LogRecord[] {
    return this.#latest()
  }

  #latest(): LogRecord[] {
    return this.#records.slice(-RECORDS_KEPT_MAX)
  }
}
