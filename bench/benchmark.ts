/** One way to do a benchmark's work: ours, a peer's, or no more than the machine asks for. */
export interface Candidate {
  readonly name: string
  /** Makes ready what is not measured. One run does all the work and counts what came out of it. */
  readonly prepare: () => () => number | Promise<number>
}

/** What one candidate took, as the median of all rounds. */
export interface Figure {
  readonly nanosecondsPerUnit: number
  /** How many times as long as ours it took. */
  readonly timesOurs: number
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
