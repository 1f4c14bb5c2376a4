import type { Json, LogRecord } from '../log/index.ts'
import { ClientError } from './client-error.ts'
import type { Frame } from './frames.ts'
import { members, parseJson } from './json.ts'
import type { ThreadReset, ThreadStatus, ThreadUpdate } from './thread-update.ts'

/** A reader's place in a thread's history: what each frame means depends on it, and moves it. */
export class Cursor {
  #seq: number
  #epoch: string | undefined
  #greeting: 'awaited' | 'served' | 'reset_awaited' = 'awaited'

  constructor(after: number, epoch: string | undefined) {
    this.#seq = after
    this.#epoch = epoch
  }

  /** Where the next connection begins, as its query. */
  connecting(): string {
    this.#greeting = 'awaited'
    const query = new URLSearchParams({ after: String(this.#seq) })
    if (this.#epoch !== undefined) query.set('epoch', this.#epoch)
    return query.toString()
  }

  /**
   * Gives what a frame tells the reader: nothing when the reader has it already.
   *
   * @throws {@link ClientError} `protocol`; the cursor has not moved, so it can be served again
   */
  take(frame: Frame & { type: 'frame' }): ThreadUpdate | undefined {
    if (frame.event === 'hello') return this.#hello(payload(frame))
    if (this.#greeting === 'awaited') throw broken('the stream did not open with hello')
    if (frame.event === 'reset') return this.#reset(payload(frame))
    // Named frames of a newer server and frames that have no place in the thread are not ours.
    if (frame.event !== undefined || frame.id === undefined) return undefined
    return this.#position(frame.id, frame.data)
  }

  #hello(data: Payload): ThreadStatus | undefined {
    const epoch = text(data['epoch'], 'epoch')
    const head = position(data['head'], 'head')
    const known = this.#seq === -1 || this.#epoch === undefined || this.#epoch === epoch
    // Taken on trust, another history's records would pass for duplicates and be lost in silence.
    this.#greeting = known && this.#seq <= head ? 'served' : 'reset_awaited'
    if (this.#greeting === 'reset_awaited') return undefined
    this.#epoch = epoch
    return { type: 'status', status: 'live', head, epoch }
  }

  #reset(data: Payload): ThreadReset {
    const state = data['state']
    if (state === undefined) throw broken('the reset has no state')
    const reset = {
      type: 'reset',
      reason: text(data['reason'], 'reason'),
      epoch: text(data['epoch'], 'epoch'),
      head: position(data['head'], 'head'),
      state,
    } as const
    this.#seq = reset.head
    this.#epoch = reset.epoch
    this.#greeting = 'served'
    return reset
  }

  #position(id: string, data: string | undefined): ThreadUpdate | undefined {
    if (this.#greeting === 'reset_awaited') throw broken('records came in place of a reset')
    const seq = /^\d{1,15}$/.test(id) ? Number(id) : -1
    if (seq === -1) throw broken(`"${id.slice(0, 20)}" is no position`)
    if (seq <= this.#seq) return undefined
    if (seq > this.#seq + 1) throw broken(`after seq ${this.#seq} came seq ${seq}`)
    const update: ThreadUpdate =
      data === undefined ? { type: 'cursor', seq } : { type: 'record', record: record(data, seq) }
    this.#seq = seq
    return update
  }
}

type Payload = ReturnType<typeof members>

function payload(frame: Frame & { type: 'frame' }): Payload {
  return members(parseJson(frame.data ?? '', `the frame "${frame.event}"`))
}

function record(data: string, seq: number): LogRecord {
  const parsed = parseJson(data, `the record at seq ${seq}`)
  const { seq: ownSeq, type } = members(parsed)
  if (ownSeq !== seq || typeof type !== 'string') throw broken(`seq ${seq} holds no record of it`)
  // The server is the authority on a record's other members; which of them a role sees is its ruling.
  return parsed as unknown as LogRecord
}

function text(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') throw broken(`${name} is no text`)
  return value
}

function position(value: Json | undefined, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < -1) {
    throw broken(`${name} is no position`)
  }
  return value
}

function broken(fault: string): ClientError {
  return new ClientError('protocol', `Cannot follow the thread: ${fault}`)
}
