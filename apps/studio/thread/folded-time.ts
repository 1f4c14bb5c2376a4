/** A time in which a turn waited for a person, in milliseconds since the epoch. */
export interface Wait {
  readonly from: number
  readonly to: number
}

/** The width of a folded wait, as a share of the chart. */
const FOLD = 0.05
/** Shorter waits are drawn as they are, in milliseconds. */
export const FOLDED_FROM_MS = 5_000

/** Places moments on a chart of one turn, on which long waits for a person are folded. */
export class FoldedTime {
  readonly waits: readonly Wait[]
  readonly #start: number
  readonly #scale: number

  /** `waits` in their order, without overlaps. */
  constructor(whole: Wait, waits: readonly Wait[]) {
    this.#start = whole.from
    this.waits = waits.filter(({ from, to }) => to - from >= FOLDED_FROM_MS)
    const folded = this.waits.reduce((sum, { from, to }) => sum + to - from, 0)
    const drawn = Math.max(1, whole.to - whole.from - folded)
    this.#scale = Math.max(0.1, 1 - this.waits.length * FOLD) / drawn
  }

  /** From 0 to 1. */
  at(moment: number): number {
    let [worked, folds] = [moment - this.#start, 0]
    for (const { from, to } of this.waits) {
      if (moment <= from) break
      const passed = Math.min(moment, to) - from
      worked -= passed
      folds += FOLD * (passed / (to - from))
    }
    return Math.min(1, Math.max(0, worked * this.#scale + folds))
  }
}
