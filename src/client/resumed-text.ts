import { membersOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Frame } from './frames.ts'

/**
 * The frames of one event stream that comes over several connections: each frame once, as text.
 *
 * A server resumes after the last id that it sent. Frames without an id that followed it come again, so as
 * many as the reader has are dropped.
 */
export class ResumedText {
  lastId: string | undefined
  /** The log that a thread's stream is of. Such a stream has no end and sends heartbeats. */
  epoch: string | undefined
  /** The data of the last frame that the reader has been given. */
  lastData: string | undefined
  #hasComments = false
  /** Frames without an id that the reader has been given since the last id. */
  #sinceId = 0
  /** How many of them come again on this connection. */
  #repeated = 0

  /** Whether something comes while nothing happens, on a stream that can be resumed. */
  get hasHeartbeats(): boolean {
    return this.epoch !== undefined || (this.#hasComments && this.lastId !== undefined)
  }

  reconnect(): void {
    this.#repeated = this.#sinceId
  }

  /** The text of a frame, unless the reader has it. */
  take(frame: Frame): string | undefined {
    if (frame.type === 'comment') {
      this.#hasComments = true
      return `: ${frame.text}\n\n`
    }
    this.lastData = frame.data ?? this.lastData
    return this.#isNew(frame) ? textOf(frame) : undefined
  }

  #isNew({ event, id, data }: Frame & { type: 'frame' }): boolean {
    if (event === 'hello') return this.#greet(data)
    if (event === 'reset') this.#moveToHead(data)
    if (id !== undefined) this.#move(id)
    if (event !== undefined || id !== undefined) return true
    if (this.#repeated > 0) {
      this.#repeated--
      return false
    }
    this.#sinceId++
    return true
  }

  /** The same log is greeted again on each connection. */
  #greet(data: string | undefined): boolean {
    const before = this.epoch
    const { epoch } = membersIn(data)
    this.epoch = typeof epoch === 'string' ? epoch : undefined
    return this.epoch !== before
  }

  #moveToHead(data: string | undefined): void {
    const { head } = membersIn(data)
    this.#move(typeof head === 'number' ? String(head) : undefined)
  }

  #move(id: string | undefined): void {
    this.lastId = id
    this.#sinceId = 0
    this.#repeated = 0
  }
}

/** Other servers may name their own frames as ours do. */
function membersIn(data = '') {
  try {
    // JSON.parse yields nothing but Json; its declared type is any.
    return membersOf(JSON.parse(data) as Json)
  } catch {
    return {}
  }
}

function textOf({ event, id, data }: Frame & { type: 'frame' }): string {
  const lines = data?.split('\n').map((line) => `data: ${line}\n`) ?? []
  const fields = [id !== undefined && `id: ${id}\n`, event !== undefined && `event: ${event}\n`]
  return [...fields, ...lines, '\n'].filter((line) => line !== false).join('')
}
