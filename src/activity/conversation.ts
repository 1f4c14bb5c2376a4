import type { LogRecord } from '../log/index.ts'
import { customValue, ourMetadata, outcomeOf, resumedBy } from './agent-event.ts'
import { textOf } from '../json/index.ts'
import type { AgentEventType } from './agent-event.ts'
import { answersModel, foldInto, noteMessage, promptMessage } from './fold-message.ts'
import type { ConversationMessage } from './message.ts'
import { ownerOf } from './owner.ts'

/** The utterances of a thread: at its top, and in each sub-agent's run that has not ended, by run. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[]
  readonly nested: Readonly<Record<string, readonly ConversationMessage[]>>
  /** By the same runs: the surface or agent whose turn each is of, as {@link ownerOf} names it. */
  readonly owners: Readonly<Record<string, string>>
}

/** The conversation of a thread without records, with which its fold begins. */
export const EMPTY_CONVERSATION: Conversation = { messages: [], nested: {}, owners: {} }

/** The messages that an agent on a surface hears; an agent without a surface hears those without one. */
export function messagesOn(
  { messages }: Pick<Conversation, 'messages'>,
  surface: string | undefined,
): readonly ConversationMessage[] {
  return messages.filter((message) => message.surface === surface)
}

/** Folds the records of agents into the messages of a thread; others leave it as it is. Pure. */
export function foldConversation(
  conversation: Conversation,
  records: Iterable<LogRecord>,
): Conversation {
  let folding: Folding | undefined
  for (const record of records) {
    if (!concerns(record)) continue
    folding ??= new Folding(conversation)
    folding.take(record)
  }
  return folding ? folding.done() : conversation
}

/** Otherwise the next answer would resume a cancelled request. */
const STOPPED = '[This was stopped before it was finished.]'

/** The types of records that change a conversation: a set, because each record is checked. */
const CONCERNING: ReadonlySet<string> = new Set<AgentEventType>([
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_ENCRYPTED_VALUE',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_RESULT',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
  'RUN_STARTED',
  'RUN_FINISHED',
])

const OURS = ['note', 'history_reset', 'history_compacted', 'model_output']

function concerns(record: LogRecord): boolean {
  if (record.type === 'CUSTOM') {
    return OURS.some((name) => customValue(record, name) !== undefined)
  }
  return CONCERNING.has(record.type) || answersModel(record)
}

interface Nested {
  readonly owner: string
  readonly messages: ConversationMessage[]
}

/** One pass over some records, on copies of the lists that it changes. */
class Folding {
  #messages: ConversationMessage[] | undefined
  readonly #before: Conversation
  readonly #nested = new Map<string, Nested | undefined>()

  constructor(before: Conversation) {
    this.#before = before
  }

  done(): Conversation {
    const { messages, ...nested } = this.#before
    return {
      messages: this.#messages ?? messages,
      ...(this.#nested.size === 0 ? nested : this.#nestedAfter()),
    }
  }

  take(record: LogRecord): void {
    const { run = '' } = record.origin
    switch (record.type) {
      case 'SUBAGENT_STARTED':
        this.#begin(record)
        return
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        if (!staysOpen(record)) this.#nested.set(run, undefined)
        return
      case 'RUN_STARTED':
        if (resumedBy(record)) return
        this.#forgetNested(record)
        if (runsAgain(record)) dropUnanswered(this.#top())
        return
      case 'RUN_FINISHED':
        if (outcomeOf(record) !== 'cancelled') return
        this.#top().push(noteMessage(record, STOPPED))
        return
      default:
        this.#fold(record)
    }
  }

  #fold(record: LogRecord): void {
    const { depth, run = '' } = record.origin
    const list = depth === 0 ? this.#top() : this.#of(run)?.messages
    if (list) foldInto(list, record)
  }

  #begin(record: LogRecord): void {
    const { run = '' } = record.origin
    if (this.#of(run)) return
    const owner = ownerOf(record.origin)
    const messages = this.#takeOver(record) ?? [promptMessage(record)]
    this.#nested.set(run, { owner, messages })
  }

  /** The conversation of the sub-agent that hands over to the one that starts, if one does. */
  #takeOver({ origin }: LogRecord): ConversationMessage[] | undefined {
    const { call, parentRun } = origin
    const lists = new Map<string, readonly ConversationMessage[] | undefined>(
      Object.entries(this.#before.nested),
    )
    for (const [run, nested] of this.#nested) lists.set(run, nested?.messages)
    // The caller that asks anew made that call as well, and keeps its text.
    lists.delete(parentRun ?? '')
    for (const [run, list] of lists) {
      if (!list?.some(({ role, id }) => role === 'call' && id === call)) continue
      this.#nested.set(run, undefined)
      return [...list]
    }
    return undefined
  }

  /** Drops what sub-agents of the owner's earlier turns said: no run goes on with it. */
  #forgetNested({ origin }: LogRecord): void {
    const owner = ownerOf(origin)
    for (const [run, of] of Object.entries(this.#before.owners)) {
      if (of === owner) this.#nested.set(run, undefined)
    }
    for (const [run, nested] of this.#nested) {
      if (nested?.owner === owner) this.#nested.set(run, undefined)
    }
  }

  #top(): ConversationMessage[] {
    return (this.#messages ??= [...this.#before.messages])
  }

  #of(run: string): Nested | undefined {
    if (this.#nested.has(run)) return this.#nested.get(run)
    const before = this.#before.nested[run]
    if (!before) return undefined
    const copy = { owner: this.#before.owners[run] ?? '', messages: [...before] }
    this.#nested.set(run, copy)
    return copy
  }

  #nestedAfter(): Pick<Conversation, 'nested' | 'owners'> {
    const nested: Record<string, readonly ConversationMessage[]> = { ...this.#before.nested }
    const owners: Record<string, string> = { ...this.#before.owners }
    for (const [run, after] of this.#nested) {
      if (after) {
        nested[run] = after.messages
        owners[run] = after.owner
      } else {
        delete nested[run]
        delete owners[run]
      }
    }
    return { nested, owners }
  }
}

/** Whether a run begins a turn anew whose first run failed. */
function runsAgain({ origin }: LogRecord): boolean {
  return origin.call === undefined && origin.turn !== undefined && origin.turn !== origin.run
}

/** What was said since the last message of a person counts as that of a failed model call. */
function dropUnanswered(messages: ConversationMessage[]): void {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (message?.role === 'user') return
    if (message?.role === 'assistant') messages[at] = { ...message, failed: true }
  }
}

/** Whether a sub-agent's run that ended goes on: itself after an answer, or another run. */
function staysOpen(record: LogRecord): boolean {
  return outcomeOf(record) === 'suspended' || textOf(ourMetadata(record.data), 'handoffTo') !== ''
}
