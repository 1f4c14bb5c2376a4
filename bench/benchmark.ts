/** The result of a run that measures something else than the working time of this thread. */
export interface Outcome {
  /** For the whole run, in what the benchmark's costs are counted in. */
  readonly cost: number
  readonly yielded: number
}

/** Does all the work and counts the results. */
export type Run = () => number | Promise<number | Outcome>

/** One way to do a benchmark's work: ours, a peer's, or no more than the machine asks for. */
export interface Candidate {
  readonly name: string
  /** Prepares the parts that are not measured. */
  readonly prepare: () => Run | Promise<Run>
}

/** What one candidate took, as the median of all rounds. */
export interface Figure {
  readonly costPerUnit: number
  /** Its cost divided by ours. */
  readonly timesOurs: number
  /** A fifth of the rounds lies below, a fifth above. */
  readonly timesOursRange?: readonly [number, number]
  /** The other clock, divided by ours: wall time where the cost is processor time, and the reverse. */
  readonly otherClock: { readonly name: 'wall' | 'CPU'; readonly timesOurs: number }
  readonly yielded: number
}

/** By candidate's name. */
export type Figures = ReadonlyMap<string, Figure>

export interface Goal {
  readonly text: string
  readonly isMet: (figures: Figures) => boolean
}

/** One line of the table. */
export interface Benchmark {
  /** As in the list of goals, then what sets this line apart: `P2 30 %`. */
  readonly id: string
  readonly what: string
  /** What the cost is counted per, and how many of them one run handles. */
  readonly unit: string
  readonly units: number
  /** What a run counts. */
  readonly yields: string
  /** What a run says itself that it cost, when that is not nanoseconds of this thread. */
  readonly costs?: 'ns' | 'KB'
  readonly run: Candidate['prepare']
  /** The least that anybody has to do for the same. */
  readonly limit?: Candidate
  readonly peers: readonly Candidate[]
  readonly goals: readonly Goal[]
}

export const OURS = 'ours'

export function candidatesOf({ run, limit, peers }: Benchmark): readonly Candidate[] {
  return [{ name: OURS, prepare: run }, ...(limit ? [limit] : []), ...peers]
}
