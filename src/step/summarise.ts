import type { TokenUsage } from '@ag-ui/core'
import { endOf, startOf } from '../json/index.ts'
import { ModelError, callModel } from '../models/index.ts'
import type { LanguageModel } from '../models/index.ts'
import type { ConversationMessage } from '../activity/index.ts'
import { neutralise } from '../thread/index.ts'
import type { NewEvent, Origin } from '../log/index.ts'
import type { Estimate, Reservation } from './budget.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { modelOutput } from './model-output.ts'
import { pause } from './pause.ts'
import { costOf } from './prices.ts'
import type { Prices } from './prices.ts'

/** Calls of the model for one summary, those that fail included. */
export const SUMMARY_CALLS_MAX = 6
/** The length of one part of the old history, as a share of the longest history that fits. */
const PART_RATIO = 0.6
/** The longest text of one message in it, as a share of the same. */
const MESSAGE_RATIO = 0.3

const SUMMARISE = `Sum up the conversation that you are given, for the assistant in it, who will see nothing
but your summary: all requests, findings, promises and open questions, and every
name, number and date that matters. It may begin with a summary of what came before: keep what it says.
Write the summary and nothing else.`

export interface SummaryRequest {
  readonly charsMax: number
  readonly model: LanguageModel
  readonly origin: Origin
  readonly maxOutputTokens: number
  readonly reserve: (texts: readonly string[]) => Reservation & { readonly reserved: Estimate }
  readonly prices: Prices
  readonly retryDelayMs: number
  readonly signal: AbortSignal
}

/**
 * Has the model sum up what goes, part by part: each call gets the summary so far and the next part. A call
 * that fails is made again; without room for another the summary is given up.
 */
export async function summarise(
  request: SummaryRequest,
  { old, before }: CompactionPlan,
): Promise<{ readonly summary: string | undefined; readonly outputs: readonly NewEvent[] }> {
  const { charsMax, retryDelayMs, signal } = request
  const parts = partsOf(old, charsMax)
  const outputs: NewEvent[] = []
  let summary = before
  let hasFailed = false
  while (parts.length > 0) {
    if (outputs.length >= SUMMARY_CALLS_MAX || signal.aborted)
      return { summary: undefined, outputs }
    if (hasFailed) await pause(retryDelayMs, signal)
    const [part = ''] = parts
    const told = summary === undefined ? part : `summary of what came before: ${summary}\n${part}`
    const call = await callOnce(request, told)
    outputs.push(call.output)
    hasFailed = call.summary === undefined
    if (call.summary === undefined) {
      // Half of it may fit where the provider's window is shorter than the history.
      if (call.isTooLong) parts.splice(0, 1, ...halvesOf(part))
      continue
    }
    summary = call.summary
    parts.shift()
  }
  return { summary, outputs }
}

async function callOnce(
  { model, maxOutputTokens, origin, reserve, prices, signal }: SummaryRequest,
  transcript: string,
) {
  const text = neutralise(transcript)
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
  return {
    summary: failure === undefined && summary.trim() !== '' ? summary.trim() : undefined,
    isTooLong: failure === 'context_exceeded',
    output: modelOutput({ origin, usage, prices, reserved, more }),
  }
}

/** The texts of the messages, in parts that one call takes. */
function partsOf(messages: readonly ConversationMessage[], charsMax: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const { role, text, failed } of messages) {
    if (failed) continue
    const line = `${role}: ${shortened(text, Math.ceil(charsMax * MESSAGE_RATIO))}\n`
    if (part !== '' && part.length + line.length > charsMax * PART_RATIO) {
      parts.push(part)
      part = ''
    }
    part += line
  }
  return part === '' ? parts : [...parts, part]
}

/** A long text without its middle, which is named. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor(max / 2)
  const [head, tail] = [startOf(text, half), endOf(text, half)]
  return `${head} [… ${text.length - head.length - tail.length} characters left out …] ${tail}`
}

function halvesOf(part: string): readonly string[] {
  const middle = startOf(part, Math.ceil(part.length / 2))
  return [middle, part.slice(middle.length)].filter((half) => half !== '')
}
