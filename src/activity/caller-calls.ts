import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { ourMetadata, turnOf } from './agent-event.ts'
import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { CallerEventBody } from './caller-event.ts'
import { isDiscarded } from './discarded-call.ts'

interface Call {
  readonly name: string
  run: string
  /** The turn that answers it: another one once its turn was resumed. */
  turn: string
  arguments: string
  isShown: boolean
}

interface TurnRun {
  readonly turn: string
  readonly run: string
}

/** The tool calls of a turn, and what of them a caller of agents sees. */
export class CallerCalls {
  readonly #calls = new Map<string, Call>()

  keep(turns: ReadonlySet<string>): void {
    for (const [id, { turn }] of this.#calls) if (!turns.has(turn)) this.#calls.delete(id)
  }

  /** Assigns the calls of a turn that waited, and those of its run at depth 0, to what resumes it. */
  moveTurn(from: TurnRun, to: TurnRun): void {
    for (const call of this.#calls.values()) {
      if (call.turn !== from.turn) continue
      call.turn = to.turn
      if (call.run === from.run) call.run = to.run
    }
  }

  take(record: LogRecord): readonly CallerEventBody[] {
    const { type, data, origin } = record
    const id = textOf(data, 'toolCallId')
    switch (type) {
      case 'TOOL_CALL_START': {
        const name = textOf(data, 'toolCallName')
        this.#calls.set(id, {
          name,
          run: origin.run ?? '',
          turn: turnOf(record),
          arguments: '',
          isShown: false,
        })
        return []
      }
      case 'TOOL_CALL_ARGS': {
        const call = this.#calls.get(id)
        if (call) call.arguments += textOf(data, 'delta')
        return []
      }
      case 'TOOL_CALL_END':
        // A program runs tools of its own before its step has ended.
        return origin.source === 'remote' || origin.source === 'process' ? this.#made(id) : []
      case 'TOOL_CALL_RESULT':
        return this.#result(record)
      case 'ACTIVITY_SNAPSHOT':
        return this.#output(record)
      default:
        return []
    }
  }

  /** A model's tool calls count once its call has ended well; what a failed one began does not. */
  madeWith(modelOutput: Json): readonly CallerEventBody[] {
    const ids = membersOf(modelOutput)['toolCalls']
    if (!Array.isArray(ids)) return []
    return ids.flatMap((id) => this.#made(String(id)))
  }

  #made(toolCallId: string): readonly CallerEventBody[] {
    const call = this.#calls.get(toolCallId)
    if (!call || call.isShown) return []
    call.isShown = true
    return [{ type: 'tool_call', toolCallId, name: call.name, arguments: call.arguments }]
  }

  nameOf(id: string): string {
    return this.#calls.get(id)?.name ?? ''
  }

  /** The run that made a call, or nothing. */
  madeBy(id: string): string {
    return this.#calls.get(id)?.run ?? ''
  }

  /** Returns the message of a call to a sub-agent. */
  messageOf(id: string): string {
    const call = this.#calls.get(id)
    return call ? textOf(parsed(call.arguments), 'message') : ''
  }

  #result(record: LogRecord): readonly CallerEventBody[] {
    // Its call was never shown.
    if (isDiscarded(record)) return []
    const { data } = record
    const toolCallId = textOf(data, 'toolCallId')
    const name = this.nameOf(toolCallId)
    const content = textOf(data, 'content')
    const ours = ourMetadata(data)
    const code = ours['error']
    if (typeof code === 'string')
      return [{ type: 'tool_error', toolCallId, name, error: content, code }]
    const result = ours['json'] === true ? parsed(content) : content
    const source = ours['subagent']
    const { pending } = ours
    return [
      ...(typeof source === 'string'
        ? [{ type: 'subagent_result' as const, sourceAgent: source, result: content, toolCallId }]
        : []),
      {
        type: 'tool_result',
        toolCallId,
        name,
        result,
        ...(isJsonArray(pending) && { pending: pending.map(String) }),
      },
    ]
  }

  #output({ data }: LogRecord): readonly CallerEventBody[] {
    if (textOf(data, 'activityType') !== 'throughline.tool_output') return []
    const content = membersOf(data)['content'] ?? null
    const toolCallId = textOf(content, 'toolCallId')
    const output = membersOf(content)['output'] ?? null
    return [{ type: 'tool_output', toolCallId, name: this.nameOf(toolCallId), output }]
  }
}

/** The parsed JSON, or the text itself when it is not JSON. */
function parsed(text: string): Json {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
