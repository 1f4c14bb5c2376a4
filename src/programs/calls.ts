import type { ToolCallResultEvent, ToolCallStartEvent } from '@ag-ui/core'
import type { ProgramStepRequest } from '../agents/index.ts'
import { startOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { ModelToolCall } from '../models/index.ts'
import { programsId, requireId } from './ids.ts'
import { itemEvent } from './items.ts'
import type { Owner, StreamParts } from './items.ts'
import { ProgramError } from './program-error.ts'

/** The name of the call under which a question waits that is about no call. No tool can have it. */
export const QUESTION = 'remote.question'

interface Call {
  readonly id: string
  readonly name: string
  readonly owner: Owner
  /** The engine runs it. */
  readonly isOffered: boolean
  /** As far as it came. */
  input: string
  isAnswered: boolean
}

const UNREPORTED = 'The agent gave no result for this call'

/** The tool calls of a program's stream: its own, which it answers, and those that the engine runs for it. */
export class Calls {
  readonly #parts: StreamParts
  readonly #request: ProgramStepRequest
  readonly #calls: Map<string, Call>
  readonly #earlier: ReadonlySet<Call>

  constructor(
    parts: StreamParts,
    request: ProgramStepRequest,
    { keepsIds }: { readonly keepsIds: boolean },
  ) {
    this.#parts = parts
    this.#request = request
    const isOwn = (id: string) => keepsIds || programsId(id) !== id
    this.#calls = new Map(unanswered(request, parts.root, isOwn))
    this.#earlier = new Set(this.#calls.values())
  }

  /** `parent` is our id of the message that holds the call. */
  start({ toolCallId, toolCallName }: ToolCallStartEvent, of: Owner, parent?: string): void {
    const { ids, items, root } = this.#parts
    const before = this.#calls.get(toolCallId)
    if (before && !this.#earlier.has(before)) {
      const why = `the tool call "${toolCallId}" begins a second time`
      throw new ProgramError('out_of_order', `Cannot take TOOL_CALL_START: ${why}`)
    }
    const isOffered = this.#request.toolNames.has(toolCallName)
    // The engine answers in the name of the agent itself.
    const owner = isOffered ? root : of
    const id = owner === root ? ids.own(toolCallId) : ids.fresh(toolCallId)
    const name = requireId(toolCallName)
    this.#calls.set(toolCallId, { id, name, owner, isOffered, input: '', isAnswered: false })
    items.open(toolCallId, { kind: 'tool call', id, owner })
    const held = parent !== undefined && owner === of ? { parentMessageId: parent } : {}
    this.#recordStart({ toolCallId: id, toolCallName: name, ...held }, owner)
  }

  /** Records a question that is about no call under a call of its own. */
  ask(questionId: string, question: Json): ModelToolCall {
    const { ids, items, root } = this.#parts
    const toolCallId = ids.own(questionId)
    const input = JSON.stringify(question)
    this.#recordStart({ toolCallId, toolCallName: QUESTION }, root)
    items.record('TOOL_CALL_ARGS', { toolCallId, delta: input }, root)
    items.record('TOOL_CALL_END', { toolCallId }, root)
    return { id: toolCallId, name: QUESTION, input }
  }

  #recordStart(members: { readonly toolCallId: string; readonly toolCallName: string }, of: Owner) {
    const id = this.#request.calls.recordId(members.toolCallId)
    this.#parts.items.put({ ...itemEvent('TOOL_CALL_START', members, of), id })
  }

  argue(toolCallId: string, delta: string): boolean {
    const call = this.#calls.get(toolCallId)
    if (call) call.input += delta
    return this.#parts.items.add('tool call', toolCallId, delta)
  }

  /** @throws {@link ProgramError} `forged_result` for a call that the engine runs */
  answer({ toolCallId, messageId, content }: ToolCallResultEvent): void {
    const { items, ids, warn } = this.#parts
    const call = this.#calls.get(toolCallId)
    if (!call || call.isAnswered || !call.owner.isOpen) return warn('stray_result')
    if (call.isOffered) {
      const why = `"${call.name}" is a tool that only the engine runs`
      throw new ProgramError('forged_result', `Cannot take TOOL_CALL_RESULT: ${why}`)
    }
    items.end('tool call', toolCallId)
    call.isAnswered = true
    const id = call.owner === this.#parts.root ? ids.own(messageId) : ids.fresh(messageId)
    const result = { messageId: id, toolCallId: call.id, role: 'tool' }
    const bounded = this.#bounded(textIn(content))
    items.record('TOOL_CALL_RESULT', { ...result, content: bounded }, call.owner)
  }

  /** Our id of a call, for a sub-agent of this owner that the call is for. */
  openFor(toolCallId: string, owner: Owner): string | undefined {
    const call = this.#calls.get(toolCallId)
    return call && !call.isAnswered && call.owner === owner ? call.id : undefined
  }

  /** The call of the program itself that a question is about. */
  askedAbout(toolCallId: string): ModelToolCall | undefined {
    const call = this.#calls.get(toolCallId)
    if (!call || call.isAnswered || call.isOffered || call.owner !== this.#parts.root)
      return undefined
    return { id: call.id, name: call.name, input: call.input }
  }

  placeOf(toolCallId: string): Pick<Call, 'id' | 'owner'> | undefined {
    return this.#calls.get(toolCallId)
  }

  /** The calls that the engine runs now: those that the program lists, or all of tools that it was offered. */
  pending(listed: readonly string[] = []): readonly ModelToolCall[] {
    return [...this.#calls]
      .filter(([name, call]) => {
        if (call.isAnswered || this.#earlier.has(call) || call.owner !== this.#parts.root)
          return false
        return call.name !== QUESTION && (call.isOffered || listed.includes(name))
      })
      .map(([, { id, name, input }]) => ({ id, name, input }))
  }

  /** Answers what an owner left without a result, except these calls. */
  giveUp(owner: Owner, except: ReadonlySet<string> = new Set()): void {
    const { ids, items } = this.#parts
    for (const call of this.#calls.values()) {
      if (call.owner !== owner || call.isAnswered || except.has(call.id)) continue
      call.isAnswered = true
      const result = { messageId: ids.fresh('result'), toolCallId: call.id, role: 'tool' }
      const metadata = { throughline: { error: 'unreported' } }
      items.record('TOOL_CALL_RESULT', { ...result, content: UNREPORTED, metadata }, owner)
    }
  }

  #bounded(content: string): string {
    const { resultChars: max } = this.#request
    if (content.length <= max) return content
    return `${startOf(content, max)}\n[The result has ${content.length} characters; the rest is cut off.]`
  }
}

/** The program's own calls of earlier streams that have no result yet: those that a question was about. */
function* unanswered(
  { messages, toolNames: offered, waiting }: ProgramStepRequest,
  root: Owner,
  isOwn: (id: string) => boolean,
): Generator<[string, Call]> {
  const answered = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.call] : [])))
  for (const message of messages) {
    if (message.role !== 'call' || message.agent !== root.origin.agent) continue
    const { id, name, text: input } = message
    if (answered.has(id) || waiting.has(id) || offered.has(name) || !isOwn(id)) continue
    yield [programsId(id), { id, name, owner: root, isOffered: false, input, isAnswered: false }]
  }
}

function textIn(content: ToolCallResultEvent['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
