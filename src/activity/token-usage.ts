import type { TokenUsage } from '@ag-ui/core'
import type { Json } from '../json/index.ts'
import { membersOf, textOf } from '../json/index.ts'
import { addCounts } from './usage.ts'

/** Adds the tokens of one model call to a sum that has one entry for each model. */
export function addTokenUsage(
  before: readonly TokenUsage[],
  modelOutput: Json,
): readonly TokenUsage[] {
  const given = membersOf(membersOf(modelOutput)['usage'] ?? null)
  const [provider, model] = [textOf(given, 'provider'), textOf(given, 'model')]
  const at = before.findIndex((each) => each.provider === provider && each.model === model)
  const sum: TokenUsage = { ...(before[at] ?? { provider, model }) }
  addCounts(sum, given)
  return at < 0 ? [...before, sum] : before.with(at, sum)
}
