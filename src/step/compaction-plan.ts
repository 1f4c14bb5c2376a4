import type { ConversationMessage } from '../activity/index.ts'

/** A history is shortened only where at least this share of the longest that fits goes. */
const WORTH_RATIO = 0.05
/** Tools that a note on what was left out names. */
const TOOLS_NAMED_MAX = 10

export interface CompactionPlan {
  /** The seq of the last message that goes. */
  readonly through: number
  /** The seqs of earlier messages that stay: the first request and the open one. */
  readonly kept: readonly number[]
  /** The messages that go, without the summary before. */
  readonly old: readonly ConversationMessage[]
  /** What the summary before said. */
  readonly before: string | undefined
}

/** What a file counts for in the length of a history, in characters. */
export const FILE_CHARS = 6_000

/** Characters that messages take in a prompt. */
export function sizeOf(messages: readonly ConversationMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.failed) return sum
    const files = message.role === 'user' ? (message.files?.length ?? 0) : 0
    return sum + message.text.length + files * FILE_CHARS
  }, 0)
}

/** Chooses what goes, so that the newest messages take at most `room`; undefined where too little would. */
export function planOf(
  messages: readonly ConversationMessage[],
  { room, charsMax }: { readonly room: number; readonly charsMax: number },
): CompactionPlan | undefined {
  const cut = firstKept(messages, room)
  const through = messages[cut - 1]?.seq
  if (through === undefined) return undefined
  const asked = messages.filter(({ role }) => role === 'user')
  const kept = new Set([asked[0], asked.at(-1)].flatMap((each) => each?.seq ?? []))
  const going = messages.slice(0, cut).filter(({ seq }) => !kept.has(seq))
  const old = going.filter((message) => !isSummary(message))
  if (sizeOf(old) < charsMax * WORTH_RATIO) return undefined
  return {
    through,
    kept: [...kept].filter((seq) => seq <= through),
    old,
    before: going.findLast(isSummary)?.text,
  }
}

function isSummary(message: ConversationMessage): boolean {
  return message.role === 'note' && message.isSummary === true
}

/** Counts messages by their kind, for a note to the model. */
export function named(messages: readonly ConversationMessage[]): string {
  const count = (role: ConversationMessage['role'], one: string, many: string): string[] => {
    const length = messages.filter((each) => each.role === role && !each.failed).length
    return length === 0 ? [] : [`${length} ${length === 1 ? one : many}`]
  }
  const tools = [...new Set(messages.flatMap((each) => (each.role === 'call' ? [each.name] : [])))]
  const some = tools.slice(0, TOOLS_NAMED_MAX).join(', ')
  const more = tools.length > TOOLS_NAMED_MAX ? ` and ${tools.length - TOOLS_NAMED_MAX} more` : ''
  const results = count('tool', 'result', 'results').map((result) => `${result} of ${some}${more}`)
  const parts = [
    ...count('user', 'message', 'messages'),
    ...count('assistant', 'answer', 'answers'),
    ...results,
  ]
  return parts.join(', ') || 'notes'
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
