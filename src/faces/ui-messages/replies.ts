import { NO_PAUSES, foldPauses, resumedBy, turnOf } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { endsTurn } from '../turn-records.ts'

/** A reply as one message of a page: the turn that began it, and the turns that went on after questions. */
export interface Reply {
  /** The id of the turn that began it: the id of the message. */
  readonly id: string
  /** The record with which that turn began. */
  readonly seq: number
}

/** Which turns of a thread make up one reply, as far as its records were taken. */
export class Replies {
  readonly #replies = new Map<string, Reply>()
  #pauses = NO_PAUSES
  #turn: string | undefined

  /** The turn at work, if one is. */
  get turn(): string | undefined {
    return this.#turn
  }

  of(turn: string): Reply | undefined {
    return this.#replies.get(turn)
  }

  /** Takes the next record, and returns the reply of the turn that it begins. Its end is for {@link end}. */
  begin(record: LogRecord): Reply | undefined {
    const { waiting } = this.#pauses
    this.#pauses = foldPauses(this.#pauses, [record])
    const turn = turnOf(record)
    if (record.type !== 'RUN_STARTED' || turn === this.#turn) return undefined
    const answered = new Set((resumedBy(record) ?? []).map((each) => textOf(each, 'interruptId')))
    const before = waiting.find(({ waits }) => waits.some(({ id }) => answered.has(id)))
    const reply = this.#replies.get(before?.turn ?? turn) ?? { id: turn, seq: record.seq }
    this.#replies.set(turn, reply)
    this.#turn = turn
    return reply
  }

  /** Takes the end of the turn at work: what its record shows still belongs to it. */
  end(record: LogRecord): void {
    if (endsTurn(record) && turnOf(record) === this.#turn) this.#turn = undefined
  }
}
