import { customValue, ourMetadata } from '../activity/index.ts'
import { stableId } from '../gate/index.ts'
import { membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'

export interface CallOnRecord {
  readonly id: string
  readonly name: string
  /** Its arguments, as JSON text. */
  args: string
  /** Its proposals so far. */
  proposals: number
  /** Whether a person was asked to agree to it. */
  neededApproval: boolean
  /** The questions of the call to a person, by the names of the values. */
  question?: Readonly<Record<string, string>>
  /** The last result that is not pending. */
  result?: {
    readonly seq: number
    readonly content: string
    readonly json: boolean
    readonly error: string
  }
}

/** The calls of tools in a thread. Takes its records in their order. */
export class CallsOnRecord {
  readonly #byId = new Map<string, CallOnRecord>()
  /** Without a result: a call may be finished by another run than began it. */
  readonly #open = new Set<CallOnRecord>()

  get all(): readonly CallOnRecord[] {
    return [...this.#byId.values()]
  }

  note(record: LogRecord): void {
    const { type, data } = record
    if (type === 'TOOL_CALL_START') this.#start(data)
    else if (type === 'TOOL_CALL_ARGS')
      this.#with(data, (call) => (call.args += textOf(data, 'delta')))
    else if (type === 'TOOL_CALL_RESULT') this.#end(record)
    else this.#ask(customValue(record, 'wait_for_input') ?? null)
  }

  /** The call that proposed a record: its id is made of the call's. `kind`: by a tool, or by the call itself. */
  proposerOf({
    id,
    thread,
    origin: { run = '' },
  }: LogRecord): { readonly call: CallOnRecord; readonly kind: 'tool' | 'event' } | undefined {
    for (const call of this.#open) {
      if (id === stableId(thread, run, call.id, 'proposal')) return { call, kind: 'event' }
      if (id !== stableId(thread, run, call.id, 'proposal', String(call.proposals))) continue
      call.proposals++
      return { call, kind: 'tool' }
    }
    return undefined
  }

  #start(data: Json): void {
    const call = {
      id: textOf(data, 'toolCallId'),
      name: textOf(data, 'toolCallName'),
      args: '',
      proposals: 0,
      neededApproval: false,
    }
    this.#byId.set(call.id, call)
    this.#open.add(call)
  }

  #end({ seq, data }: LogRecord): void {
    const ours = ourMetadata(data)
    // Another role is asked: the tool's own result comes later.
    if (ours['pending'] !== undefined) {
      this.#with(data, (call) => (call.neededApproval = true))
      return
    }
    const error = typeof ours['error'] === 'string' ? ours['error'] : ''
    const result = { seq, content: textOf(data, 'content'), json: ours['json'] === true, error }
    this.#with(data, (call) => {
      call.result = result
      this.#open.delete(call)
    })
  }

  #ask(wait: Json): void {
    const reason = textOf(wait, 'reason')
    if (reason === 'tool_approval') this.#with(wait, (call) => (call.neededApproval = true))
    if (reason !== 'input_required') return
    // Written by the engine: texts by their names.
    const asked = membersOf(wait)['requestKeys'] as Readonly<Record<string, string>> | undefined
    this.#with(wait, (call) => (call.question = asked ?? {}))
  }

  #with(data: Json, act: (call: CallOnRecord) => void): void {
    const call = this.#byId.get(textOf(data, 'toolCallId'))
    if (call) act(call)
  }
}

/** The value of a text that may be no JSON. */
export function parsed(text: string): Json {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
