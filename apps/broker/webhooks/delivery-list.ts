import type { Cursors, ConsumerRow, OpenRow } from 'throughline/server/extend'

/** The consumer of the feed that sends webhooks; its rows hold when a case is next due. */
export const DELIVERIES = 'broker.webhooks'
/** The rows of the cases with dead letters; they hold when the case was opened. */
const DEAD_LETTERS = 'broker.dead-letters'
/** Changes when a fold finds other deliveries: then the feed is read from its beginning. */
const VERSION = 2

/** What a case holds. */
export interface CaseLook {
  /** When something is next to be sent, in milliseconds since the epoch. */
  readonly dueAt: number | undefined
  /** When the case was opened; `undefined` when it has no dead letters. */
  readonly deadOpenedAt: number | undefined
}

export interface SavedList {
  /** The position in the feed up to which the rows are right; empty when none is saved. */
  readonly position: string
  readonly rows: readonly OpenRow[]
}

/** The lists of cases with open deliveries and with dead letters, as they are saved in the cursors. */
export class DeliveryLists {
  readonly #cursors: Cursors | undefined

  constructor(cursors: Cursors | undefined) {
    this.#cursors = cursors
  }

  /** Loads the cases with open deliveries. */
  loadDeliveries(): Promise<SavedList> {
    return this.#load(DELIVERIES)
  }

  /** Loads the cases with dead letters, the oldest case first. */
  loadDeadLetters(): Promise<SavedList> {
    return this.#load(DEAD_LETTERS)
  }

  /** Saves both lists, each with the position. */
  async save(position: string, looks: ReadonlyMap<string, CaseLook>): Promise<void> {
    const due: ConsumerRow[] = []
    const dead: ConsumerRow[] = []
    for (const [thread, { dueAt, deadOpenedAt }] of looks) {
      due.push({ thread, dueAt })
      dead.push({ thread, dueAt: deadOpenedAt })
    }
    await this.#cursors?.save(DEAD_LETTERS, `${VERSION} ${position}`, dead)
    await this.#cursors?.save(DELIVERIES, `${VERSION} ${position}`, due)
  }

  async #load(consumer: string): Promise<SavedList> {
    const prefix = `${VERSION} `
    const saved = (await this.#cursors?.load(consumer)) ?? ''
    const position = saved.startsWith(prefix) ? saved.slice(prefix.length) : ''
    return { position, rows: (await this.#cursors?.open(consumer)) ?? [] }
  }
}
