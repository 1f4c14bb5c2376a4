import { z } from 'zod'

/** Faults that can be waiting at a time. */
export const FAULTS_MAX = 100
const DELAY_MS_MAX = 600_000
const DELAY_MS = 1_000

const aimed = {
  /** The lender that it befalls; every one when it is left out. */
  lender: z.string().max(200).exactOptional(),
  /** The number of requests that it affects; by default all. */
  times: z.int().min(1).default(Number.MAX_SAFE_INTEGER),
}

const fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('slow'),
    delayMs: z.int().min(0).max(DELAY_MS_MAX).default(DELAY_MS),
    ...aimed,
  }),
  z.strictObject({
    kind: z.literal('fail'),
    status: z.int().min(400).max(599).default(500),
    ...aimed,
  }),
  z.strictObject({ kind: z.literal('nonsense'), ...aimed }),
  z.strictObject({ kind: z.literal('cut'), ...aimed }),
  z.strictObject({ kind: z.literal('hang'), ...aimed }),
])

export const faultList = z.array(fault).max(FAULTS_MAX)

export type Fault = z.infer<typeof fault>

/** The faults of the next requests, in order. */
export class Faults {
  #waiting: readonly { readonly fault: Fault; left: number }[] = []

  constructor(faults: readonly Fault[]) {
    this.replace(faults)
  }

  replace(faults: readonly Fault[]): void {
    this.#waiting = faults.map((each) => ({ fault: each, left: each.times }))
  }

  /** Takes the fault of the next request to this lender, if there is one. */
  next(lender: string): Fault | undefined {
    const found = this.#waiting.find(
      ({ fault: { lender: only }, left }) => left > 0 && (only === undefined || only === lender),
    )
    if (found) found.left--
    return found?.fault
  }
}
