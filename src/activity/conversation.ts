import type { LogRecord } from '../log/index.ts'
import { customValue, ourMetadata, outcomeOf } from './agent-event.ts'
import { textOf } from '../json/index.ts'
import type { AgentEventType } from './agent-event.ts'
import { foldInto, noteMessage, noteOf, promptMessage } from './fold-message.ts'
import type { ConversationMessage } from './message.ts'
import { resumedBy } from './waiting.ts'

/** The utterances of a thread: at its top, and in each sub-agent's run that has not ended, by run. */
export interface Conversation {
  readonly messages: readonly ConversationMessage[]
  readonly nested: Readonly<Record<string, readonly ConversationMessage[]>>
}

export const EMPTY_CONVERSATION: Conversation = { messages: [], nested: {} }

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

/** Or the next answer would take up what somebody did not want any more. */
const STOPPED = '[This was stopped before it was finished.]'

/** The types of records that change a conversation. A type is asked for here, not matched: each record is. */
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
  return CONCERNING.has(record.type) || noteOf(record) !== undefined
}

/** One pass over some records, on copies of the lists that it changes. */
class Folding {
  #messages: ConversationMessage[] | undefined
  readonly #before: Conversation
  #nested = new Map<string, ConversationMessage[] | undefined>()

  constructor(before: Conversation) {
    this.#before = before
  }

  done(): Conversation {
    const { messages, nested } = this.#before
    return {
      messages: this.#messages ?? messages,
      nested: this.#nested.size === 0 ? nested : this.#nestedAfter(),
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
        if (!resumedBy(record)) this.#forgetNested()
        return
      case 'RUN_FINISHED':
        if (outcomeOf(record) === 'cancelled') this.#top().push(noteMessage(record, STOPPED))
        return
      default:
        this.#fold(record)
    }
  }

  #fold(record: LogRecord): void {
    const { depth, run = '' } = record.origin
    const list = depth === 0 ? this.#top() : this.#of(run)
    if (list) foldInto(list, record)
  }

  #begin(record: LogRecord): void {
    const { run = '' } = record.origin
    if (this.#of(run)) return
    const taken = this.#takeOver(record)
    if (taken) {
      this.#nested.set(run, taken)
      return
    }
    this.#nested.set(run, [promptMessage(record)])
  }

  /** The conversation of the sub-agent that hands over to the one that starts, if one does. */
  #takeOver({ origin }: LogRecord): ConversationMessage[] | undefined {
    const { call, parentRun } = origin
    const lists = new Map<string, readonly ConversationMessage[] | undefined>([
      ...Object.entries(this.#before.nested),
      ...this.#nested,
    ])
    // The caller that asks anew made that call as well, and keeps what it said.
    lists.delete(parentRun ?? '')
    for (const [run, list] of lists) {
      if (!list?.some(({ role, id }) => role === 'call' && id === call)) continue
      this.#nested.set(run, undefined)
      return [...list]
    }
    return undefined
  }

  /** What sub-agents of earlier turns left: nobody goes on with it any more. */
  #forgetNested(): void {
    const left = Object.keys(this.#before.nested).map((run) => [run, undefined] as const)
    this.#nested = new Map(left)
  }

  #top(): ConversationMessage[] {
    return (this.#messages ??= [...this.#before.messages])
  }

  #of(run: string): ConversationMessage[] | undefined {
    if (this.#nested.has(run)) return this.#nested.get(run)
    const before = this.#before.nested[run]
    if (!before) return undefined
    const copy = [...before]
    this.#nested.set(run, copy)
    return copy
  }

  #nestedAfter(): Conversation['nested'] {
    const after: Record<string, readonly ConversationMessage[]> = { ...this.#before.nested }
    for (const [run, list] of this.#nested) {
      if (list) after[run] = list
      else delete after[run]
    }
    return after
  }
}

/** Whether somebody goes on with a sub-agent's run that ended: itself once it is answered, or another. */
function staysOpen(record: LogRecord): boolean {
  return outcomeOf(record) === 'suspended' || textOf(ourMetadata(record.data), 'handoffTo') !== ''
}
