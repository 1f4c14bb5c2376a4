import { knownNames } from '../agents/index.ts'
import { ERASURE } from '../domain/index.ts'
import { isPersonal, redactor, sealIn } from '../erasure/index.ts'
import type { Gate } from '../gate/index.ts'
import { stableId } from '../gate/index.ts'
import { membersOf, redactWhole, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { LogError, faultOf } from '../log/index.ts'
import type { Erasure, EventLog, LogRecord } from '../log/index.ts'
import { Pace } from '../thread/index.ts'
import { ApplicationError } from './app-error.ts'
import type { App } from './define-app.ts'

/** Who has a person erased, as an opaque id, and why. Both stay on record for ever. */
export interface EraseRequest {
  readonly by: string
  readonly why: string
}

/** What the record of an erasure says of its thread. */
export interface LeftOfThread extends Erasure {
  /** How many records were sealed. */
  readonly sealed: number
  /** How many records hold something personal in clear, from before it was declared to be. */
  readonly clear: number
}

export interface ThreadErasureParts<State> {
  readonly app: App<State>
  readonly gate: Gate<State>
  /** As it stores. */
  readonly log: EventLog
  /** The state of a thread without what is personal. */
  readonly redactedState: (thread: string) => Promise<Json>
}

/** Closes threads whose person is erased, with a record that holds what is left of the state. */
export class ThreadErasure<State> {
  readonly #parts: ThreadErasureParts<State>

  constructor(parts: ThreadErasureParts<State>) {
    this.#parts = parts
  }

  /** The record of the erasure; nothing where the person of the thread was not erased. */
  async of(thread: string): Promise<LeftOfThread | undefined> {
    const record = await this.#parts.log.find(thread, idIn(thread))
    return record && leftIn(record)
  }

  /** Appends the record, unless the thread holds it. Afterwards the thread takes nothing new. */
  async record(thread: string, { at, by, why }: Erasure): Promise<void> {
    const { gate, log } = this.#parts
    if (await log.find(thread, idIn(thread))) return
    const data = { by, why, ...(await this.#counted(thread)), state: await this.#state(thread) }
    const event = {
      id: idIn(thread),
      ts: at,
      type: ERASURE,
      data,
      origin: { source: 'system', depth: 0 },
    } as const
    const isTooLarge = faultOf(event) !== undefined
    const fit = isTooLarge ? { ...event, data: { ...data, state: redactWhole(data.state) } } : event
    await gate.append(thread, [fit])
  }

  async #counted(thread: string): Promise<Pick<LeftOfThread, 'sealed' | 'clear'>> {
    const { app, log } = this.#parts
    const redact = redactor(app.domain, knownNames(app.agents))
    const pace = new Pace()
    let [sealed, clear] = [0, 0]
    for await (const records of log.read(thread)) {
      for (const record of records) {
        if (sealIn(record.data)) sealed++
        else if (isPersonal(record, redact(record))) clear++
      }
      await pace.rest()
    }
    return { sealed, clear }
  }

  /** A state that cannot be shown without what is personal is not kept at all. */
  async #state(thread: string): Promise<Json> {
    try {
      return await this.#parts.redactedState(thread)
    } catch (error) {
      const isKnown = error instanceof ApplicationError || isTooLong(error)
      if (!isKnown) throw error
      // The states of a domain are JSON.
      return redactWhole(this.#parts.app.domain.initial as Json)
    }
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof LogError && error.code === 'too_large'
}

function idIn(thread: string): string {
  return stableId(thread, ERASURE)
}

function leftIn({ ts: at, data }: LogRecord): LeftOfThread {
  const { sealed, clear } = membersOf(data)
  const count = (value: Json | undefined) => (typeof value === 'number' ? value : 0)
  const [by, why] = [textOf(data, 'by'), textOf(data, 'why')]
  return { at, by, why, sealed: count(sealed), clear: count(clear) }
}
