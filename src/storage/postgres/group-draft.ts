import type { Anchor, LogRecord, Sealed } from '../../log/index.ts'
import type { Adopted } from '../heads/anchored-head.ts'
import type { GroupRows } from './group-statements.ts'
import type { HeadSigner } from './signed-head.ts'

/** A stored thread as a writer knows it. */
export interface KnownHead extends Anchor {
  readonly number: number
  readonly adopted?: Adopted
}

export interface ThreadHead extends KnownHead {
  readonly thread: string
}

/** The records and heads that one group is about to store. */
export class GroupDraft {
  readonly #before = new Map<string, ThreadHead>()
  readonly #after = new Map<string, ThreadHead>()
  readonly #ids = new Map<string, LogRecord>()
  readonly #all: { readonly number: number; readonly sealed: Sealed }[] = []

  /** The thread as the group has left it so far. */
  head(thread: string): ThreadHead | undefined {
    return this.#after.get(thread)
  }

  /** Adds a thread as it is before the group. */
  begin(head: ThreadHead): ThreadHead {
    this.#before.set(head.thread, head)
    this.#after.set(head.thread, head)
    return head
  }

  /** False when the group has this id in this thread already; some of the others may have been added. */
  add(thread: ThreadHead, fresh: readonly Sealed[]): boolean {
    for (const sealed of fresh) {
      const key = `${thread.number} ${sealed.record.id}`
      if (this.#ids.has(key)) return false
      this.#ids.set(key, sealed.record)
      this.#all.push({ number: thread.number, sealed })
    }
    const last = fresh.at(-1)?.record
    if (last) this.#after.set(thread.thread, { ...thread, seq: last.seq, hash: last.hash })
    return true
  }

  /** The record that the group is about to store under an id. */
  find({ number }: KnownHead, id: string): LogRecord | undefined {
    return this.#ids.get(`${number} ${id}`)
  }

  /** The heads of the threads that move, after the group. */
  moved(): readonly ThreadHead[] {
    return [...this.#after.values()].filter(({ thread, seq }) => {
      return this.#before.get(thread)?.seq !== seq
    })
  }

  before(thread: string): ThreadHead | undefined {
    return this.#before.get(thread)
  }

  rows(signer: HeadSigner, ts: number): GroupRows {
    const moved = this.moved()
    const records = this.#all.map(({ sealed: { record } }) => record)
    return {
      threads: [
        moved.map(({ number }) => number),
        moved.map(({ seq }) => seq),
        moved.map(({ hash }) => hash),
        moved.map(() => ts),
        moved.map((head) => signer.sign({ ...head, ts })),
      ],
      records: [
        this.#all.map(({ number }) => number),
        records.map(({ seq }) => seq),
        records.map(({ id }) => id),
        records.map(({ hash }) => hash),
        this.#all.map(({ sealed }) => sealed.body),
      ],
    }
  }
}
