import { NO_USAGE_REPORT, customValue, foldUsage } from '../activity/index.ts'
import type { App } from '../application/index.ts'
import { equalJson, isJsonArray, isJsonObject, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { isDecision, proposedType } from './stored-commits.ts'
import { StoredProposals } from './stored-proposals.ts'

/** A turn that a person began, with what it began with and what it led to. */
export interface TurnOnRecord {
  readonly thread: string
  /** Of its first record. */
  readonly seq: number
  readonly agent: string
  readonly input: string
  readonly events: readonly { readonly type: string; readonly data: unknown }[]
  readonly actor?: string
  readonly surface?: string
  readonly records: readonly LogRecord[]
}

/** The turns of a thread that agents of an application with a model began; not those that went on after a wait. */
export function turnsIn(app: App, records: readonly LogRecord[]): readonly TurnOnRecord[] {
  const proposals = new StoredProposals(app.domain)
  const turns = new Map<string, LogRecord[]>()
  const clicks = new Map<string, { readonly type: string; readonly data: unknown }[]>()
  for (const record of records) {
    const { turn = '', source } = record.origin
    proposals.note(record)
    const ofTurn = turns.get(turn) ?? []
    turns.set(turn, ofTurn)
    ofTurn.push(record)
    if (source !== 'ui' || !isDecision(app.domain, record)) continue
    const proposal = proposals.take(record)
    if (proposal.status !== 'known') continue
    const ofClicks = clicks.get(turn) ?? []
    clicks.set(turn, ofClicks)
    ofClicks.push({ type: proposedType(record), data: proposal.data })
  }
  return [...turns.values()].flatMap((ofTurn) => {
    const [started] = ofTurn
    const agent = started && beganBy(app, started)
    if (!started || agent === undefined) return []
    const { thread, seq, origin } = started
    const said = ofTurn.filter(({ origin: { source } }) => source === 'ui')
    const input = said.map(({ type, data }) => (type === CONTENT ? textOf(data, 'delta') : ''))
    const { actor, surface } = { ...origin, ...said[0]?.origin }
    return {
      thread,
      seq,
      agent,
      input: input.join(''),
      events: clicks.get(origin.turn ?? '') ?? [],
      ...(actor !== undefined && { actor }),
      ...(surface !== undefined && { surface }),
      records: ofTurn,
    }
  })
}

const CONTENT = 'TEXT_MESSAGE_CONTENT'

function beganBy({ agents }: App, { type, data, origin }: LogRecord): string | undefined {
  if (type !== 'RUN_STARTED' || origin.depth !== 0 || origin.turn === undefined) return undefined
  // A resumed run answers a question.
  if (membersOf(data)['input'] !== undefined) return undefined
  const agent = agents.find(({ name }) => name === origin.agent)
  return agent?.model ? agent.name : undefined
}

/** What a model proposed, without ids and times; of a refused proposal its type and the reason. */
export interface ModelProposal {
  readonly type: string
  readonly data: Json
}

export function modelProposalsIn(app: App, records: readonly LogRecord[]): ModelProposal[] {
  return records.flatMap(({ type, data, origin }) => {
    if (origin.source !== 'model') return []
    if (app.domain.events.has(type)) return [{ type, data: timeless(data) }]
    if (type !== 'event_refused') return []
    return [{ type: textOf(data, 'type'), data: `refused: ${textOf(data, 'reason')}` }]
  })
}

/** Those of some proposals that are not among others. */
export function without(
  all: readonly ModelProposal[],
  others: readonly ModelProposal[],
): readonly ModelProposal[] {
  const left = [...others]
  return all.filter(({ type, data }) => {
    const at = left.findIndex((other) => other.type === type && equalJson(other.data, data))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

const ID_OR_TIME = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|^\d{4}-\d\d-\d\dT[\d:.]+Z?$/

function timeless(value: Json): Json {
  if (typeof value === 'string') return ID_OR_TIME.test(value) ? '…' : value
  if (isJsonArray(value)) return value.map(timeless)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, each]) => [name, timeless(each ?? null)])
  return Object.fromEntries(members) as Json
}

/** The hash of the first prompt, where a model was called. */
export function promptIn(records: readonly LogRecord[]): string | undefined {
  const outputs = records.map((record) => customValue(record, 'model_output'))
  const first = outputs.find((output) => output !== undefined)
  return first === undefined ? undefined : textOf(first, 'prompt')
}

/** The tokens that model calls used, or were reserved for where they reported none. */
export function tokensIn(records: readonly LogRecord[]): number {
  const {
    inputTokens = 0,
    outputTokens = 0,
    unreportedTokens = 0,
  } = foldUsage(NO_USAGE_REPORT, records).total
  return inputTokens + outputTokens + unreportedTokens
}
