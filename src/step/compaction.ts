import type { ConversationMessage } from '../activity/index.ts'
import { startOf } from '../json/index.ts'
import type { NewEvent } from '../log/index.ts'
import { customTagged, stepFinished, stepStarted } from './step-events.ts'
import { named, planOf, sizeOf } from './compaction-plan.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { summarise } from './summarise.ts'
import type { SummaryRequest } from './summarise.ts'

/** The length of a shortened history, as a share of the longest that fits. */
export const HISTORY_KEPT_RATIO = 0.3

const STEP_NAME = 'compact'

export interface CompactionRequest extends SummaryRequest {
  readonly messages: readonly ConversationMessage[]
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
}

/** Whether a history can be given whole. */
export function fits(messages: readonly ConversationMessage[], charsMax: number): boolean {
  return sizeOf(messages) <= charsMax
}

/**
 * Replaces the old part of a history that no longer fits by a summary that the agent's own model writes. The
 * first request, the open one and what the summary before said are kept. Where no summary can be had, only
 * as much is left out as must be, and a note names it. The log keeps everything.
 */
export async function compaction(request: CompactionRequest): Promise<void> {
  const { messages, charsMax, origin, append, signal } = request
  const plan = planOf(messages, { room: charsMax * HISTORY_KEPT_RATIO, charsMax })
  if (!plan) return
  await append([stepStarted(STEP_NAME, origin)])
  const { summary, outputs } = await summarise(request, plan)
  const stepEnd = stepFinished(STEP_NAME, origin)
  // Stopped by a person, not failed: nothing is to be forgotten for it.
  if (signal.aborted) await append([...outputs, stepEnd])
  signal.throwIfAborted()
  const shortened =
    summary === undefined ? withoutSummary(request, plan) : summed(summary, plan, charsMax)
  const records = shortened ? [customTagged('history_compacted', shortened, origin)] : []
  await append([...outputs, ...records, stepEnd])
}

function summed(summary: string, { through, kept, old }: CompactionPlan, charsMax: number) {
  const text = summaryStart(summary, charsMax)
  const cut = text.length < summary.length ? ' … (the rest of the summary was cut)' : ''
  const said = `[What was said before, summed up: ${text}${cut}]\n[Summed up: ${named(old)}]`
  return { through, kept, summary: said }
}

function summaryStart(summary: string, charsMax: number): string {
  return startOf(summary, Math.ceil(charsMax * HISTORY_KEPT_RATIO))
}

/** Leaves out the oldest messages alone that stand in the way; the summary before stays as it is. */
function withoutSummary({ messages, charsMax }: CompactionRequest, first: CompactionPlan) {
  const { before } = first
  const stays = messages.filter(({ seq }) => first.kept.includes(seq))
  const room = charsMax - sizeOf(stays) - (before?.length ?? 0)
  const plan = planOf(messages, { room, charsMax })
  if (!plan) return undefined
  const { through, kept, old } = plan
  const leftOut = `[Left out to make room: ${named(old)}]`
  const summary = before === undefined ? leftOut : `${summaryStart(before, charsMax)}\n${leftOut}`
  return { through, kept, summary }
}
