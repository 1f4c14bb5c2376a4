import type { AgentLimits } from '../agents/index.ts'

/** A run that may not go on: it used what it may use. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached'
  readonly code: `limit_${string}`

  constructor(limit: keyof AgentLimits, message: string) {
    super(message)
    this.code = `limit_${limit}`
  }
}
