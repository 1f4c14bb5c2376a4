import type { TokenUsage } from '@ag-ui/core'
import { ModelError, callModel } from '../models/index.ts'
import type { LanguageModel } from '../models/index.ts'
import type { ConversationMessage } from '../activity/index.ts'
import { neutralise } from '../thread/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Estimate, Reservation } from './budget.ts'
import { modelOutput } from './model-output.ts'
import { costOf } from './prices.ts'
import type { Prices } from './prices.ts'
import { customTagged, stepFinished, stepStarted } from './step-events.ts'

/** The length of a shortened history, as a share of the longest that fits. */
export const HISTORY_KEPT_RATIO = 0.3

const STEP_NAME = 'compact'

const SUMMARISE = `Sum up the conversation that you are given, for the assistant in it, who will see nothing
but your summary: all requests, findings, promises and open questions, and every
name, number and date that matters. Write the summary and nothing else.`

const LEFT_OUT = '[Earlier messages were left out to make room.]'

export interface CompactionRequest {
  readonly messages: readonly ConversationMessage[]
  readonly charsMax: number
  readonly model: LanguageModel
  readonly origin: Origin
  readonly append: (events: readonly NewEvent[]) => Promise<unknown>
  readonly maxOutputTokens: number
  readonly reserve: (texts: readonly string[]) => Reservation & { readonly reserved: Estimate }
  readonly prices: Prices
  readonly signal: AbortSignal
}

/** Whether a history can be given whole. */
export function fits(messages: readonly ConversationMessage[], charsMax: number): boolean {
  return messages.reduce((sum, { text }) => sum + text.length, 0) <= charsMax
}

/**
 * Replaces the old part of a history that no longer fits by a summary that the agent's own model writes;
 * when that fails, by a word that something was left out. The log keeps everything, and so does a
 * history that is one message.
 */
export async function compaction(request: CompactionRequest): Promise<void> {
  const { messages, charsMax, origin, append, signal } = request
  const cut = firstKept(messages, charsMax * HISTORY_KEPT_RATIO)
  const through = messages[cut - 1]?.seq
  if (through === undefined) return
  await append([stepStarted(STEP_NAME, origin)])
  const { summary, output } = await summarise(request, messages.slice(0, cut))
  const stepEnd = stepFinished(STEP_NAME, origin)
  if (signal.aborted) await append([output, stepEnd])
  // Stopped by a person, not failed: nothing is to be forgotten for it.
  signal.throwIfAborted()
  const shortened = customTagged('history_compacted', { through, summary }, origin)
  await append([output, shortened, stepEnd])
}

async function summarise(
  { charsMax, model, maxOutputTokens, origin, reserve, prices, signal }: CompactionRequest,
  old: readonly ConversationMessage[],
): Promise<{ readonly summary: string; readonly output: NewEvent }> {
  const transcript = old.map(({ role, text }) => `${role}: ${text}`).join('\n')
  const text = neutralise(transcript.slice(-charsMax))
  const { reserved, settle } = reserve([SUMMARISE, text])
  const call = {
    system: SUMMARISE,
    messages: [{ role: 'user', text }],
    maxOutputTokens,
    signal,
  } as const
  let usage: TokenUsage = { provider: model.provider, model: model.modelId }
  let summary = ''
  let failure: string | undefined
  try {
    for await (const part of callModel(model, call)) {
      if (part.type === 'text') summary += part.delta
      if (part.type === 'finish') usage = part.usage
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    failure = error.code
  }
  settle({ usage, cost: costOf(usage, prices) })
  const more = failure === undefined ? { finishReason: 'stop' } : { error: failure }
  const whole = failure === undefined && summary.trim() !== ''
  return {
    summary: whole ? `[What was said before, summed up: ${summary.trim()}]` : LEFT_OUT,
    output: modelOutput({ origin, usage, prices, reserved, more }),
  }
}

/**
 * Returns the start of the kept part: a person's message or a step of the model, never between a
 * call and its result. The newest part is kept even if it is too long.
 */
function firstKept(messages: readonly ConversationMessage[], room: number): number {
  let length = 0
  let from = messages.length
  while (from > 0 && (length += messages[from - 1]?.text.length ?? 0) <= room) from--
  const heard = messages.findIndex(({ role }, at) => at >= from && isHeard(role))
  if (heard >= 0) return heard
  const begins = ({ role }: ConversationMessage, at: number): boolean =>
    isHeard(role) || (role !== 'tool' && messages[at - 1]?.role === 'tool')
  const fits = messages.findIndex((message, at) => at >= from && begins(message, at))
  return fits >= 0 ? fits : Math.max(0, messages.findLastIndex(begins))
}

function isHeard(role: ConversationMessage['role']): boolean {
  return role === 'user' || role === 'note'
}
