export type Tier = 'quick' | 'full' | 'quick, full' | 'later'

export interface Promised {
  readonly id: string
  /** What could go wrong. */
  readonly when: string
  /** The promise for that case. */
  readonly figure: string
  /** Quick: in every run of the tests. Full: in `npm run test:full`, at these counts. */
  readonly tier: Tier
}

export type Row = readonly [id: string, when: string, figure: string, tier: Tier]
