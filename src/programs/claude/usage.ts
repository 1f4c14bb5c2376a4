import type { ModelUsage, TurnEnded } from '../session/session-event.ts'
import type { ClaudeResult, ClaudeUsageByModel } from './lines.ts'

/** Counts the usage of each turn, which older versions of the CLI only give as running totals. */
export class TurnUsage {
  #totals: ClaudeUsageByModel = {}
  #totalCost = 0

  take(result: ClaudeResult): Pick<TurnEnded, 'usage' | 'usageByModel' | 'costUsd'> {
    const since = result.model_usage_since_last_result
    const byModel = since ?? differences(result.modelUsage ?? {}, this.#totals)
    const costUsd = since ? sumOf(since) : this.#costSince(result.total_cost_usd)
    this.#totals = result.modelUsage ?? this.#totals
    this.#totalCost = result.total_cost_usd ?? this.#totalCost
    const models = Object.entries(byModel)
    return {
      costUsd,
      usage: mainUsage(result),
      usageByModel: models.flatMap(([model, used]) => usageOf(model, used)),
    }
  }

  #costSince(total: number | null | undefined): number | null {
    return typeof total === 'number' ? difference(total, this.#totalCost) : null
  }
}

function sumOf(byModel: ClaudeUsageByModel): number {
  return Object.values(byModel).reduce((sum, { costUSD }) => sum + costUSD, 0)
}

function mainUsage({ usage }: ClaudeResult): TurnEnded['usage'] {
  return {
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
    cacheReadTokens: usage?.cache_read_input_tokens ?? 0,
    cacheCreationTokens: usage?.cache_creation_input_tokens ?? 0,
  }
}

type Used = ClaudeUsageByModel[string]

function usageOf(model: string, used: Used): readonly ModelUsage[] {
  const { inputTokens, outputTokens } = used
  const cacheReadTokens = used.cacheReadInputTokens
  const cacheCreationTokens = used.cacheCreationInputTokens
  const sum = inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens
  return sum > 0 ? [{ model, inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }] : []
}

function differences(now: ClaudeUsageByModel, before: ClaudeUsageByModel): ClaudeUsageByModel {
  return Object.fromEntries(
    Object.entries(now).map(([model, used]) => {
      const then = Object.hasOwn(before, model) ? before[model] : undefined
      return [model, then ? lessThen(used, then) : used]
    }),
  )
}

function lessThen(used: Used, then: Used): Used {
  return {
    inputTokens: difference(used.inputTokens, then.inputTokens),
    outputTokens: difference(used.outputTokens, then.outputTokens),
    cacheReadInputTokens: difference(used.cacheReadInputTokens, then.cacheReadInputTokens),
    cacheCreationInputTokens: difference(
      used.cacheCreationInputTokens,
      then.cacheCreationInputTokens,
    ),
    costUSD: difference(used.costUSD, then.costUSD),
  }
}

/** A total that is smaller than before has begun anew. */
function difference(total: number, before: number): number {
  return total >= before ? total - before : total
}
