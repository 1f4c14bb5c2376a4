import type { JsonObject } from 'throughline/client'
import type { Block, TeamEvent } from '../../events/payloads.ts'

/** What people and agents said and did that the page keeps; the oldest are dropped. */
export const ENTRIES_MAX = 500
/** Parts of one entry; what follows stands in the next. */
const PARTS_MAX = 100

export interface SaidPart {
  readonly kind: 'said' | 'thought'
  readonly key: string
  readonly text: string
}

/** A call of a tool, with the work of the helper that it asked. */
export interface CallPart {
  readonly kind: 'call'
  readonly key: string
  readonly name: string
  readonly input: JsonObject
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** `lost`: its turn ended without a result of it. */
  readonly state: 'running' | 'done' | 'failed' | 'lost'
  readonly endedAt?: number
  readonly output?: string
  /** The commands that it drew on the screen. */
  readonly drawn: readonly string[]
  readonly parts: readonly Part[]
}

export type Part = SaidPart | CallPart

/** The message of a person, and whether the program has it. */
export interface PersonEntry {
  readonly kind: 'person'
  readonly key: number
  readonly ts: number
  readonly who: string
  readonly text: string
  /** The agent that it was sent to. */
  readonly to: string | null
  readonly uuid?: string
  readonly undelivered?: Undelivered
}

export type Undelivered = 'set_aside' | 'sent_again' | 'dropped'

/** What an agent said and did in one go. */
export interface AgentEntry {
  readonly kind: 'agent'
  readonly key: number
  readonly ts: number
  /** Of its newest part. */
  readonly newest: number
  readonly who: string
  /** The person that it answers. */
  readonly to: string | null
  readonly parts: readonly Part[]
}

/** Something that happened to the session. */
export interface NoticeEntry {
  readonly kind: 'notice'
  readonly key: number
  readonly ts: number
  readonly about: 'began' | 'went_on' | 'ended' | 'shortened' | 'failed'
  /** The session, the reason of its end, or what went wrong. */
  readonly text: string
  readonly uuid?: string
  readonly undelivered?: Undelivered
}

export type Entry = PersonEntry | AgentEntry | NoticeEntry
export type Entries = readonly Entry[]

export function withEntry(entries: Entries, entry: Entry): Entries {
  return [...entries, entry].slice(-ENTRIES_MAX)
}

export interface Speaker {
  readonly who: string
  /** The person that it answers. */
  readonly to: string | null
}

type Happening = Pick<TeamEvent, 'id' | 'ts'>

/** Adds to what the speaker is at, or begins anew where somebody else has spoken since. */
export function withParts(
  entries: Entries,
  parts: readonly Part[],
  { id, ts, who, to }: Happening & Speaker,
): Entries {
  if (parts.length === 0) return entries
  const last = entries.at(-1)
  if (last?.kind === 'agent' && last.who === who && last.parts.length < PARTS_MAX) {
    const grown = { ...last, newest: id, parts: [...last.parts, ...parts] }
    return [...entries.slice(0, -1), grown]
  }
  return withEntry(entries, { kind: 'agent', key: id, ts, newest: id, who, to, parts })
}

/** The parts of a message: its words, its thoughts and its calls. */
export function partsOf(content: readonly Block[], { id, ts }: TeamEvent): readonly Part[] {
  return content.flatMap((block, at): readonly Part[] => {
    const key = `${id}.${at}`
    switch (block.type) {
      case 'text':
        return block.text.trim() === '' ? [] : [{ kind: 'said', key, text: block.text }]
      case 'thinking':
        return block.thinking.trim() === '' ? [] : [{ kind: 'thought', key, text: block.thinking }]
      case 'tool_use': {
        const { id: call, name, input } = block
        const begun = { state: 'running', startedAt: ts, drawn: [], parts: [] } as const
        return [{ kind: 'call', key: call, name, input, ...begun }]
      }
    }
  })
}

/** Changes the call of that id, wherever it stands; without it nothing changes. */
export function withCall(
  entries: Entries,
  { call, newest }: { readonly call: string; readonly newest?: number },
  change: (part: CallPart) => CallPart,
): Entries {
  const at = entries.findLastIndex((entry) => entry.kind === 'agent' && hasCall(entry.parts, call))
  const entry = entries[at]
  if (entry?.kind !== 'agent') return entries
  const parts = changedParts(entry.parts, call, change)
  return entries.with(at, { ...entry, parts, newest: newest ?? entry.newest })
}

function hasCall(parts: readonly Part[], call: string): boolean {
  return parts.some(
    (part) => part.kind === 'call' && (part.key === call || hasCall(part.parts, call)),
  )
}

function changedParts(
  parts: readonly Part[],
  call: string,
  change: (part: CallPart) => CallPart,
): readonly Part[] {
  return parts.map((part) => {
    if (part.kind !== 'call') return part
    if (part.key === call) return change(part)
    if (!hasCall(part.parts, call)) return part
    return { ...part, parts: changedParts(part.parts, call, change) }
  })
}

/** Adds what a helper says and does to the call that asked it. */
export function withHelpersParts(
  entries: Entries,
  parts: readonly Part[],
  at: { readonly call: string; readonly newest: number },
): Entries {
  const change = (part: CallPart): CallPart => ({
    ...part,
    parts: [...part.parts, ...parts].slice(-PARTS_MAX),
  })
  return withCall(entries, at, change)
}

export function endedCall(
  part: CallPart,
  { content, isError, ts }: Extract<TeamEvent, { type: 'claude_tool_result' }>,
): CallPart {
  return { ...part, state: isError ? 'failed' : 'done', output: content, endedAt: ts }
}

/** Calls without a result when their turn ends get none. */
export function withoutRunning(entries: Entries, ts: number): Entries {
  return entries.map((entry) => {
    if (entry.kind !== 'agent' || !isRunning(entry.parts)) return entry
    return { ...entry, parts: lostParts(entry.parts, ts) }
  })
}

function isRunning(parts: readonly Part[]): boolean {
  return parts.some(
    (part) => part.kind === 'call' && (part.state === 'running' || isRunning(part.parts)),
  )
}

function lostParts(parts: readonly Part[], endedAt: number): readonly Part[] {
  return parts.map((part) => {
    if (part.kind !== 'call') return part
    const inner = { ...part, parts: lostParts(part.parts, endedAt) }
    return part.state === 'running' ? { ...inner, state: 'lost', endedAt } : inner
  })
}

/** The call that an agent waits for now, the innermost one. */
export function runningCall(parts: readonly Part[]): CallPart | undefined {
  const call = parts.findLast((part) => part.kind === 'call' && part.state === 'running')
  return call?.kind === 'call' ? (runningCall(call.parts) ?? call) : undefined
}

export function textOfEntry(entry: Entry): string {
  if (entry.kind !== 'agent') return entry.text
  return entry.parts.flatMap((part) => (part.kind === 'said' ? [part.text] : [])).join('\n')
}

/** How many calls stand in the parts, and how many of them failed. */
export function countCalls(parts: readonly Part[]): {
  readonly calls: number
  readonly failed: number
} {
  return parts.reduce(
    (sum, part) => {
      if (part.kind !== 'call') return sum
      const inner = countCalls(part.parts)
      return {
        calls: sum.calls + 1 + inner.calls,
        failed: sum.failed + (part.state === 'failed' ? 1 : 0) + inner.failed,
      }
    },
    { calls: 0, failed: 0 },
  )
}

export interface Addressed {
  readonly uuid?: string
  readonly undelivered?: Undelivered
}

/** Says of messages whether the program has them. */
export function marked(
  entries: Entries,
  undelivered: Undelivered,
  isMeant: (entry: Addressed) => boolean,
): Entries {
  if (!entries.some((entry) => entry.kind !== 'agent' && isMeant(entry))) return entries
  return entries.map((entry) =>
    entry.kind !== 'agent' && isMeant(entry) ? { ...entry, undelivered } : entry,
  )
}
