import { startOf } from '../../json/index.ts'
import type { TokenUsage } from '@ag-ui/core'
import { PROGRAM_OPEN_MAX } from '../limits.ts'
import type {
  MessageDelta,
  MessagePart,
  ModelUsage,
  PermissionDecided,
  SessionEvent,
  Task,
  TaskEnded,
  ToolResult,
} from './session-event.ts'

/** An event of AG-UI, not verified yet. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** Makes AG-UI events of one run from a session's. Sub-agents are named by the calls that started them. */
export class SessionAgui {
  /** Speakers of calls, to place what their sub-agents do. */
  readonly #calls = new Map<string, string | null>()
  readonly #subagents = new Map<string, 'open' | 'ended'>()
  /** Sub-agents whose end a task reports. */
  readonly #tasks = new Set<string>()
  /** Sub-agents whose provider failed, and that have said nothing since. */
  readonly #failed = new Map<string, string>()
  readonly #messages = new Map<string, number>()
  /** Texts that come in pieces, by their messages; the pieces of several may alternate. */
  readonly #written = new Map<string, Written>()

  take(event: SessionEvent): readonly WireEvent[] {
    if (event.type === 'delta') return this.#delta(event)
    return [...this.#endWritten(), ...this.#takeWhole(event)]
  }

  #takeWhole(event: SessionEvent): readonly WireEvent[] {
    if (event.type === 'part') {
      if (event.parent !== null) this.#failed.delete(event.parent)
      return [...this.#announce(event.parent), ...this.#part(event)]
    }
    if (event.type === 'provider_failed' && event.parent !== null) {
      this.#failed.set(event.parent, event.text)
    }
    if (event.type === 'task_started') return this.#startTask(event.task)
    if (event.type === 'task_ended') return this.#end(event.task.call, event)
    if (event.type === 'permission_decided') return [decision(event)]
    return event.type === 'result_part' ? this.#result(event) : []
  }

  /** Ends the sub-agents that are open, the newest first; `failed` is why they could not end their work. */
  close(failed = ''): readonly WireEvent[] {
    const open = [...this.#subagents.keys()].toReversed()
    const end = failed === '' ? ENDED : { status: failed, summary: CUT_OFF }
    return [...this.#endWritten(), ...open.flatMap((call) => this.#end(call, end))]
  }

  #delta({ message, parent, of, text }: Omit<MessageDelta, 'type'>): readonly WireEvent[] {
    const key = `${parent ?? ''} ${of} ${message}`
    const written = this.#written.get(key)
    if (written) return [contentEvent(of, written.id, { delta: text, ...subagentMark(parent) })]
    const before = [...this.#endOthers(parent, of), ...this.#announce(parent)]
    const id = this.#messageId(message)
    this.#written.set(key, { parent, of, id })
    const tag = subagentMark(parent)
    return [...before, ...startEvents(of, id, tag), contentEvent(of, id, { delta: text, ...tag })]
  }

  /** Ends what is written, unless it may go on beside a new message: a text of the same speaker. */
  #endOthers(speaker: string | null, kind: TextKind): readonly WireEvent[] {
    const all = [...this.#written.values()]
    const mayGoOn = all.every(({ parent, of }) => parent === speaker && of === kind)
    return mayGoOn && kind === 'text' && all.length < PROGRAM_OPEN_MAX ? [] : this.#endWritten()
  }

  #endWritten(): readonly WireEvent[] {
    const all = [...this.#written.values()]
    this.#written.clear()
    return all.flatMap(({ of, id, parent }) => endEvents(of, id, subagentMark(parent)))
  }

  #part({ message, parent, block }: MessagePart): readonly WireEvent[] {
    const of = subagentMark(parent)
    if (block.type === 'tool_use') {
      this.#calls.set(block.id, parent)
      const { id: toolCallId, name: toolCallName, input } = block
      return [
        { type: 'TOOL_CALL_START', toolCallId, toolCallName, ...of },
        { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input), ...of },
        { type: 'TOOL_CALL_END', toolCallId, ...of },
      ]
    }
    if (block.text === '') return []
    const { type, text } = block
    return [...this.#delta({ message, parent, of: type, text }), ...this.#endWritten()]
  }

  /** Each block of a message is a message of AG-UI: a call may stand between two. */
  #messageId(message: string): string {
    const count = this.#messages.get(message) ?? 0
    this.#messages.set(message, count + 1)
    return count === 0 ? message : `${message}.${count + 1}`
  }

  #result({ call: toolCallId, content, isError }: Omit<ToolResult, 'type'>): readonly WireEvent[] {
    const messageId = `${toolCallId}.result`
    const result = { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' }
    // A sub-agent without a task ends with the result of its call.
    if (this.#tasks.has(toolCallId)) return [result]
    const end = isError ? { status: 'failed', summary: content } : ENDED
    return [result, ...this.#end(toolCallId, end)]
  }

  #startTask({ call, title }: Task): readonly WireEvent[] {
    if (call === null) return []
    this.#tasks.add(call)
    return this.#announce(call, title)
  }

  #announce(call: string | null, title = ''): readonly WireEvent[] {
    if (call === null || this.#subagents.has(call)) return []
    const above = this.#calls.get(call) ?? null
    const before = this.#announce(above)
    this.#subagents.set(call, 'open')
    const parent = above === null ? {} : { parentSubagentRunId: runOf(above) }
    const known = this.#calls.has(call) ? { parentToolCallId: call } : {}
    const name = startOf(title, 200) || 'sub-agent'
    return [
      ...before,
      { type: 'SUBAGENT_STARTED', subagentRunId: runOf(call), name, ...parent, ...known },
    ]
  }

  #end(
    call: string | null,
    { status, summary }: Pick<TaskEnded, 'status' | 'summary'> = ENDED,
  ): readonly WireEvent[] {
    if (call === null || this.#subagents.get(call) !== 'open') return []
    this.#subagents.set(call, 'ended')
    const subagentRunId = runOf(call)
    const failure = this.#failed.get(call)
    if (status === 'completed' && failure !== undefined) {
      return [{ type: 'SUBAGENT_ERROR', subagentRunId, message: failure, code: 'api_error' }]
    }
    if (status === 'completed')
      return [{ type: 'SUBAGENT_FINISHED', subagentRunId, result: summary }]
    return [{ type: 'SUBAGENT_ERROR', subagentRunId, message: summary, code: status }]
  }
}

type TextKind = MessageDelta['of']
type Written = Pick<MessageDelta, 'parent' | 'of'> & { readonly id: string }
type Tag = ReturnType<typeof subagentMark>

function startEvents(kind: TextKind, messageId: string, tag: Tag): readonly WireEvent[] {
  if (kind === 'text') return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...tag }]
  return [
    { type: 'REASONING_START', messageId, ...tag },
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning', ...tag },
  ]
}

function contentEvent(kind: TextKind, messageId: string, rest: Tag & { readonly delta: string }) {
  const type = kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'
  return { type, messageId, ...rest }
}

function endEvents(kind: TextKind, messageId: string, tag: Tag): readonly WireEvent[] {
  if (kind === 'text') return [{ type: 'TEXT_MESSAGE_END', messageId, ...tag }]
  return [
    { type: 'REASONING_MESSAGE_END', messageId, ...tag },
    { type: 'REASONING_END', messageId, ...tag },
  ]
}

/** The CUSTOM event for a call that a rule has let run, or refused. */
const PERMISSION = 'program.permission'
const NAME_CHARS_MAX = 200

function decision({ call, toolName, behavior, rule }: PermissionDecided): WireEvent {
  const of = call === null ? {} : { toolCallId: call }
  const value = { ...of, toolName: startOf(toolName, NAME_CHARS_MAX), behavior, rule }
  return { type: 'CUSTOM', name: PERMISSION, value }
}

const ENDED = { status: 'completed', summary: '' }
const CUT_OFF = 'The program ended its work before the sub-agent had ended'

function runOf(call: string): string {
  return `task_${call}`
}

function subagentMark(parent: string | null): { readonly subagentRunId?: string } {
  return parent === null ? {} : { subagentRunId: runOf(parent) }
}

/** Tokens of a model as AG-UI counts them: what the provider's cache gave is input, too. */
export function tokenUsage(used: ModelUsage, provider: string): TokenUsage {
  const { model, inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = used
  return {
    provider,
    model,
    inputTokens: inputTokens + cacheReadTokens + cacheCreationTokens,
    outputTokens,
    cachedInputTokens: cacheReadTokens,
    cacheWriteInputTokens: cacheCreationTokens,
  }
}
