import type { CallerEvent, Wait } from '../../activity/index.ts'
import { whyReserved } from '../../domain/index.ts'
import { isJsonObject, membersOf, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { UiChunk, UiFinishReason } from './ui-chunk.ts'

type Event<Type extends CallerEvent['type']> = Extract<CallerEvent, { readonly type: Type }>

/** A sub-agent's text goes out again once it has grown by this factor, so that all of it is a few times its length. */
const PRELIMINARY_GROWTH = 1.25

/** Events that leave the open text open. */
const BESIDE_TEXT: ReadonlySet<CallerEvent['type']> = new Set([
  'chat_output',
  'reasoning_content',
  'tool_output',
  'event',
  'event_refused',
])

/** What a sub-agent has said to the call that asked it. */
interface Said {
  /** Of model calls that ended well. */
  whole: string
  /** Of the model call at work, which may be made again. */
  current: string
  sentChars: number
}

/** Reads what a caller sees of one reply, over all turns that it takes, as the chunks of one UI message. */
export class UiChunks {
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  /** Calls that the message shows: an output of another would break the stream. */
  readonly #calls = new Set<string>()
  readonly #said = new Map<string, Said>()
  /** The call at depth 0 under which a sub-agent's run works. */
  readonly #under = new Map<string, string>()
  readonly #waits = new Map<string, Wait>()

  take(event: CallerEvent): readonly UiChunk[] {
    if (event.depth > 0) return this.#below(event)
    const chunks = this.#own(event)
    const goesOn = BESIDE_TEXT.has(event.type) || chunks.length === 0
    return goesOn ? chunks : [...this.#close(), ...chunks]
  }

  #own(event: CallerEvent): readonly UiChunk[] {
    switch (event.type) {
      case 'resume_with_input':
        return this.#answered(event.values)
      case 'completion_start':
        return stepBegun(event)
      case 'completion_end':
        return [{ type: 'finish-step' }]
      case 'chat_output':
        return this.#delta('text', event)
      case 'reasoning_content':
        return this.#delta('reasoning', event)
      case 'event':
      case 'event_refused':
        return happened(event)
      case 'wait_for_input':
        return [...this.#asked(event.waits), { type: 'finish', finishReason: 'tool-calls' }]
      case 'turn_cancelled':
      case 'turn_end':
        return ended(event)
      default:
        return this.#call(event)
    }
  }

  #call(event: CallerEvent): readonly UiChunk[] {
    if (event.type === 'tool_call') return [this.#show(event)]
    if (!('toolCallId' in event) || !this.#calls.has(event.toolCallId)) return []
    const { toolCallId } = event
    switch (event.type) {
      case 'tool_output':
        return [output(toolCallId, event.output, 'preliminary')]
      case 'tool_result':
        return [output(toolCallId, event.result, event.pending ? 'preliminary' : 'whole')]
      case 'tool_error':
        return event.code === 'denied'
          ? [{ type: 'tool-output-denied', toolCallId }]
          : [{ type: 'tool-output-error', toolCallId, errorText: event.error }]
      default:
        return []
    }
  }

  /** Of a sub-agent the message shows what it says, and what it asks. */
  #below(event: CallerEvent): readonly UiChunk[] {
    const under = this.#callAbove(event)
    switch (event.type) {
      case 'completion_start':
        return this.#begin(event, under)
      case 'chat_output':
        return event.depth === 1 ? this.#addSaid(under, event.delta) : []
      case 'completion_end':
        return this.#flush(under)
      case 'wait_for_input':
        // Each run above tells the same questions; the top one ends the turn with them.
        return []
      case 'tool_result':
      case 'tool_error':
      case 'tool_output':
        return this.#call(event)
      default:
        return []
    }
  }

  #callAbove({ depth, run, call = '', parentRun = '' }: CallerEvent): string {
    const above = depth === 1 ? call : (this.#under.get(parentRun) ?? '')
    this.#under.set(run, above)
    return above
  }

  #begin({ depth, attempt = 1 }: CallerEvent, under: string): readonly UiChunk[] {
    const said = this.#said.get(under)
    if (depth > 1 || !said) return []
    said.whole += attempt > 1 ? '' : said.current
    said.current = ''
    return []
  }

  #addSaid(under: string, delta: string): readonly UiChunk[] {
    const said = this.#said.get(under) ?? { whole: '', current: '', sentChars: 0 }
    this.#said.set(under, said)
    said.current += delta
    const chars = said.whole.length + said.current.length
    return chars < said.sentChars * PRELIMINARY_GROWTH ? [] : this.#flush(under)
  }

  #flush(under: string): readonly UiChunk[] {
    const said = this.#said.get(under)
    if (!said || !this.#calls.has(under)) return []
    const text = said.whole + said.current
    if (text.length === said.sentChars) return []
    said.sentChars = text.length
    return [output(under, { text }, 'preliminary')]
  }

  #show({ toolCallId, name, arguments: text }: Pick<Event<'tool_call'>, ShownMember>): UiChunk {
    this.#calls.add(toolCallId)
    return { type: 'tool-input-available', toolCallId, toolName: name, input: inputIn(text) }
  }

  #asked(waits: readonly Wait[]): readonly UiChunk[] {
    const below = waits.filter(({ toolCallId }) => !this.#calls.has(toolCallId))
    const shown = below.map((wait) => this.#show({ ...wait, name: wait.toolName }))
    const questions = waits.flatMap((wait): readonly UiChunk[] => {
      this.#waits.set(wait.id, wait)
      if (wait.reason === 'client_tool') return []
      return [wait.reason === 'tool_approval' ? approvalOf(wait) : questionOf(wait, wait.id)]
    })
    if (shown.length === 0) return questions
    // Pages send answers by themselves once each call of the last step has one, and the call of a sub-agent has none yet.
    return [{ type: 'start-step' }, ...shown, ...questions]
  }

  #answered(values: Json): readonly UiChunk[] {
    return Object.entries(membersOf(values)).flatMap(([id, value = null]): readonly UiChunk[] => {
      const wait = this.#waits.get(id)
      this.#waits.delete(id)
      if (!wait || wait.reason === 'client_tool') return []
      if (wait.reason === 'input_required') return [questionOf(wait, id, 'answered')]
      const reason = textOf(value, 'reason')
      const approved = membersOf(value)['approved'] === true
      return [
        { type: 'tool-approval-response', approvalId: id, approved, ...(reason && { reason }) },
      ]
    })
  }

  #delta(
    kind: 'text' | 'reasoning',
    { messageId: id, delta }: { readonly messageId: string; readonly delta: string },
  ): readonly UiChunk[] {
    const goesOn = this.#open?.kind === kind && this.#open.id === id
    const started = goesOn ? [] : [...this.#close(), { type: `${kind}-start`, id } as const]
    this.#open = { kind, id }
    return [...started, { type: `${kind}-delta`, id, delta }]
  }

  #close(): readonly UiChunk[] {
    if (!this.#open) return []
    const { kind, id } = this.#open
    this.#open = undefined
    return [{ type: `${kind}-end`, id }]
  }
}

type ShownMember = 'toolCallId' | 'name' | 'arguments'

function output(toolCallId: string, value: Json, is: 'whole' | 'preliminary'): UiChunk {
  const chunk = { type: 'tool-output-available', toolCallId, output: value } as const
  return is === 'whole' ? chunk : { ...chunk, preliminary: true }
}

function approvalOf({ id, toolCallId, digest, approval }: Wait): UiChunk {
  return {
    type: 'tool-approval-request',
    approvalId: id,
    toolCallId,
    ...(approval && { reason: approval.question }),
    approvalDescriptor: { digest, ...approval },
  }
}

/** A question of a tool: the AI SDK has no part for it. */
function questionOf(
  { toolCallId, toolName, requestKeys, schema }: Wait,
  id: string,
  status: 'open' | 'answered' = 'open',
): UiChunk {
  const asked = { interruptId: id, toolCallId, toolName, requestKeys, ...(schema && { schema }) }
  return { type: 'data-throughline-wait', id, data: { ...asked, status } }
}

/** A model call that is made again takes back what the failed one said. */
function stepBegun({ attempt = 1 }: CallerEvent): readonly UiChunk[] {
  return [{ type: attempt > 1 ? 'reset-step' : 'start-step' }]
}

function happened(event: Event<'event' | 'event_refused'>): readonly UiChunk[] {
  const { name } = event
  if (event.type === 'event_refused') {
    const data = { name, reason: event.reason }
    return [{ type: 'data-throughline-refused', data, transient: true }]
  }
  if (whyReserved(name) !== undefined) return []
  return [{ type: `data-${name}`, data: event.data, transient: true }]
}

function ended(event: Event<'turn_end' | 'turn_cancelled'>): readonly UiChunk[] {
  if (event.type === 'turn_cancelled') {
    const reason = 'cancelled'
    return [endPart(event.turn, { reason }), { type: 'abort', reason }]
  }
  const { reason, error, cut, turn } = event
  if (reason === 'handoff') return []
  if (reason === 'success') return [{ type: 'finish', finishReason: cut ?? 'stop' }]
  const { code = '', message = '' } = error ?? {}
  const end = endPart(turn, { reason, code, message })
  const finishReason: UiFinishReason = reason === 'error' ? 'error' : 'other'
  const failed = { type: 'error', errorText: message || 'The run failed' } as const
  return [end, ...(reason === 'error' ? [failed] : []), { type: 'finish', finishReason }]
}

/** Why a turn did not end well: a part of its message, so that a page shows it after a reload too. */
function endPart(turn: string, data: Readonly<Record<string, string>>): UiChunk {
  return { type: 'data-throughline-end', id: turn, data }
}

/** The arguments of a call; a model may write what is no JSON. */
function inputIn(text: string): Json {
  if (text.trim() === '') return {}
  try {
    const input = JSON.parse(text) as Json
    return isJsonObject(input) ? input : { input }
  } catch {
    return { text }
  }
}
