import { callModel, modelHistory } from 'throughline/server/extend'
import { EMPTY_CONVERSATION } from 'throughline/client'
import { foldConversation, replay, textOf } from 'throughline'
import type { ConversationMessage } from 'throughline/client'
import type { Agent, Domain, LogRecord } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import type { BrokerState } from '../case/index.ts'
import type { DisclosureRegistry } from '../disclosures/index.ts'
import { caseBeforeShowing, recoveredFacts } from './recovered.ts'
import { firstWords } from '../../studio/story/index.ts'

export const REPLAY_RUNS_DEFAULT = 5
export const REPLAY_RUNS_MAX = 20
/** For a whole replay. */
export const REPLAY_MAX_MS = 120_000

const TEMPERATURE = 0.6
const OUTPUT_TOKENS = 700
/** Characters of a title that count as an announcement of the disclosure in words. */
const TITLE_START = 12
const SNIPPET_MAX = 160

export interface DisclosureReplay {
  readonly disclosureId: string
  readonly runs: number
  readonly passed: number
  /** Passes in which the event was proposed; the others only named the title. */
  readonly hardPassed: number
  readonly failed: number
  readonly passRate: number
  readonly failures: readonly { readonly runIndex: number; readonly snippet: string }[]
}

export interface ReplaySummary {
  readonly disclosures: readonly DisclosureReplay[]
  readonly overallPassRate: number
  readonly totalRuns: number
}

export interface ReplayParts {
  readonly domain: Domain<BrokerState>
  readonly narrator: Agent<BrokerState>
  readonly disclosures: DisclosureRegistry
}

/** A disclosure that was shown, and what the model knew just before. */
interface Presentation {
  readonly id: string
  readonly seq: number
  readonly ts: number
  readonly state: BrokerState
  readonly messages: readonly ConversationMessage[]
}

/** Asks the model again, from before each disclosure was shown, whether it would show it; appends nothing. */
export async function replayDisclosures(
  parts: ReplayParts,
  records: readonly LogRecord[],
  runs: number,
): Promise<ReplaySummary> {
  const signal = AbortSignal.timeout(REPLAY_MAX_MS)
  const disclosures: DisclosureReplay[] = []
  for (const shown of presentations(parts.domain, records)) {
    disclosures.push(await replayOne(parts, { shown, runs, signal }))
  }
  const totalRuns = disclosures.reduce((sum, each) => sum + each.runs, 0)
  const passed = disclosures.reduce((sum, each) => sum + each.passed, 0)
  return { disclosures, totalRuns, overallPassRate: totalRuns === 0 ? 0 : passed / totalRuns }
}

/** Each disclosure once: the seed of a recovered case may repeat some that the log holds. */
function presentations(
  domain: Domain<BrokerState>,
  records: readonly LogRecord[],
): readonly Presentation[] {
  const shown = records.flatMap((record) => presentationsIn(domain, record, records))
  const first = new Map(shown.map((each) => [each.id, each] as const).toReversed())
  return shown.filter((each) => first.get(each.id) === each)
}

function presentationsIn(
  domain: Domain<BrokerState>,
  record: LogRecord,
  records: readonly LogRecord[],
): readonly Presentation[] {
  const { type, seq, ts, data } = record
  if (type === 'case_hydrated') {
    return recoveredPresentations(record, replay(domain, records.slice(0, seq + 1)), records)
  }
  if (type !== 'present_disclosure') return []
  const before = records.slice(0, seq)
  const { messages } = foldConversation(EMPTY_CONVERSATION, before)
  return [{ id: textOf(data, 'id'), seq, ts, state: replay(domain, before), messages }]
}

/** Returns a seed's presentations, each with the messages of an earlier time. */
function recoveredPresentations(
  record: LogRecord,
  state: BrokerState,
  records: readonly LogRecord[],
): readonly Presentation[] {
  const { messages } = foldConversation(EMPTY_CONVERSATION, records)
  return recoveredFacts(record).flatMap(({ type, data, at }) => {
    if (type !== 'present_disclosure') return []
    const ts = Date.parse(at)
    const id = textOf(data, 'id')
    return {
      id,
      seq: record.seq,
      ts,
      state: { ...state, case: caseBeforeShowing(state.case, id, at) },
      messages: messages.filter((message) => message.ts < ts),
    }
  })
}

interface OneReplay {
  readonly shown: Presentation
  readonly runs: number
  readonly signal: AbortSignal
}

async function replayOne(parts: ReplayParts, one: OneReplay): Promise<DisclosureReplay> {
  const { narrator } = parts
  const { shown, runs, signal } = one
  const { id, seq, ts, state, messages } = shown
  const told = messages.filter(({ surface }) => surface === narrator.surface)
  const text = `[REPLAY: next turn should present ${id}]`
  const hint = { id: `replay ${id}`, role: 'note', text, seq, ts, status: 'complete' } as const
  const call = {
    system: narrator.instructions({ state, thread: state.case.sessionId, context: {} }),
    messages: modelHistory([...told, hint]),
    temperature: TEMPERATURE,
    maxOutputTokens: OUTPUT_TOKENS,
    signal,
  }
  const { model } = narrator
  if (!model) throw new Error('Cannot replay a disclosure: the narrator has no model')
  const title = parts.disclosures.disclosure(id)?.title ?? id
  const failures: { runIndex: number; snippet: string }[] = []
  let hardPassed = 0
  for (let runIndex = 0; runIndex < runs; runIndex++) {
    let text = ''
    for await (const part of callModel(model, call)) if (part.type === 'text') text += part.delta
    const verdict = judge(text, id, title)
    if (verdict === 'hard') hardPassed++
    if (verdict === 'failed') failures.push({ runIndex, snippet: firstWords(text, SNIPPET_MAX) })
  }
  const passed = runs - failures.length
  const passRate = passed / runs
  return { disclosureId: id, runs, passed, hardPassed, failed: failures.length, passRate, failures }
}

function judge(text: string, id: string, title: string): 'hard' | 'soft' | 'failed' {
  const { display, events } = stripEventTags(text)
  const proposed = events.some(
    ({ type, data }) => type === 'present_disclosure' && data['id'] === id,
  )
  if (proposed) return 'hard'
  const start = title.slice(0, TITLE_START).toLowerCase()
  return display.toLowerCase().includes(start) ? 'soft' : 'failed'
}
