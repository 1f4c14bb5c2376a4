import { aggregateTokenUsage } from '@ag-ui/core'
import type { TokenUsage } from '@ag-ui/core'
import type { KnownMembers } from '../json/index.ts'
import { LimitReached } from './limit-reached.ts'

export interface Allowance {
  readonly tokens: number
  readonly cost: number
}

/** The most that all turns of one thread may use together. */
export interface ThreadLimits extends Partial<Allowance> {
  /** In one day of UTC. */
  readonly tokensPerDay?: number
}

export const THREAD_LIMITS: KnownMembers<ThreadLimits> = {
  tokens: true,
  cost: true,
  tokensPerDay: true,
}

/** The most that a model call can use; `cost` is absent when its model has no price. */
export interface Estimate {
  readonly tokens: number
  readonly cost?: number
}

export interface BudgetParts {
  /** The owner's name, for the message of a used-up budget. */
  readonly owner: string
  readonly limits: Allowance
  readonly used?: Partial<Allowance>
  /** When it begins anew, in milliseconds since the epoch; never, when absent. */
  readonly renewsAt?: () => number
  /** A surrounding budget, which counts the same usage. */
  readonly within?: Budget
}

/**
 * The limits of a run and all below it, or of a thread. A call first reserves the most that it can use, so
 * that concurrent calls cannot exceed the limit together; the unused part is returned.
 */
export class Budget {
  readonly #parts: BudgetParts
  readonly #usages: TokenUsage[] = []
  #tokens: number
  #cost: number

  constructor(parts: BudgetParts) {
    this.#parts = parts
    this.#tokens = parts.used?.tokens ?? 0
    this.#cost = parts.used?.cost ?? 0
  }

  /** The usage so far, one entry for each provider and model. */
  get usage(): TokenUsage[] {
    return aggregateTokenUsage(this.#usages)
  }

  /** @throws {@link LimitReached} `limit_tokens`, `limit_day`, `limit_cost` */
  reserve(estimate: Estimate): Reservation {
    const budgets = this.#chain()
    for (const budget of budgets) budget.#check(estimate)
    for (const budget of budgets) budget.#add(estimate.tokens, estimate.cost ?? 0)
    return {
      settle: (used) => {
        for (const budget of budgets) budget.#settle(estimate, used)
      },
    }
  }

  #chain(): readonly Budget[] {
    const { within } = this.#parts
    return within ? [this, ...within.#chain()] : [this]
  }

  #check({ tokens, cost }: Estimate): void {
    const { limits, owner } = this.#parts
    if (this.#tokens + tokens > limits.tokens) throw this.#tokensUsedUp(tokens)
    if (limits.cost === Number.POSITIVE_INFINITY) return
    if (cost === undefined) {
      throw new LimitReached(
        'limit_cost',
        `Cannot call the model: ${owner} has a cost limit and the model has no price; give one in prices`,
      )
    }
    if (this.#cost + cost > limits.cost) {
      throw new LimitReached(
        'limit_cost',
        `Cannot call the model: ${owner} may cost ${limits.cost}, ${this.#cost} is used or reserved and this call may cost ${cost}`,
      )
    }
  }

  #tokensUsedUp(tokens: number): LimitReached {
    const { limits, owner, renewsAt } = this.#parts
    const until = renewsAt?.()
    const period = until === undefined ? '' : ' a day'
    const message = `Cannot call the model: ${owner} may use ${limits.tokens} tokens${period}, ${this.#tokens} are used or reserved and this call may need ${tokens}`
    if (until === undefined) return new LimitReached('limit_tokens', message)
    const end = new Date(until).toISOString()
    return new LimitReached('limit_day', `${message}; the next day begins at ${end}`, until)
  }

  #settle(estimate: Estimate, used: Used): void {
    const { inputTokens, outputTokens } = used.usage
    this.#usages.push(used.usage)
    // A call that reported nothing may have used all that was reserved for it.
    if (inputTokens === undefined || outputTokens === undefined) return
    this.#add(inputTokens + outputTokens - estimate.tokens, (used.cost ?? 0) - (estimate.cost ?? 0))
  }

  #add(tokens: number, cost: number): void {
    this.#tokens += tokens
    this.#cost += cost
  }
}

/** The usage of a model call; the cost is undefined when its price or its counts are not known. */
export interface Used {
  readonly usage: TokenUsage
  readonly cost?: number | undefined
}

/** Tokens and money set aside for one model call. */
export interface Reservation {
  readonly settle: (used: Used) => void
}
