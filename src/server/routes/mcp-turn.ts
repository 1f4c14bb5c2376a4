import { resumedBy, turnOf } from '../../activity/index.ts'
import type { Wait } from '../../activity/index.ts'
import { TurnOutcome } from '../../agents/index.ts'
import type { AgentResult } from '../../agents/index.ts'
import { endsTurn, startOf } from '../../faces/index.ts'
import type { View } from '../../faces/index.ts'
import { notFound } from '../problems/problem.ts'
import { textOf } from '../../json/index.ts'
import { inBackground } from '../../platform/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'

/** How a turn ended, as its reader may see it. */
export interface ShownTurn extends Pick<AgentResult<unknown>, 'reason' | 'text' | 'error'> {
  /** Where it was answered, the turn that went on with it. */
  readonly turn: string
  /** Its questions that the reader may read. */
  readonly waits: readonly Wait[]
}

export interface TurnReading {
  readonly log: EventLog
  readonly thread: string
  readonly turn: string
  readonly view: Pick<View, 'record'>
  /** Whether a turn still waits for an answer. */
  readonly isOpen: (turn: string) => Promise<boolean>
  /** Told the words of the agent that was asked, as they come. */
  readonly said: (words: string) => void
  /** Ends the reading; the turn goes on. */
  readonly signal: AbortSignal
}

/**
 * Reads a turn to its end, live or from the log, and the turns that have gone on with it since. Nothing where
 * the reading was ended before.
 *
 * @throws {@link ProblemError} `not_found` for what is no turn of the thread: a client may have named it
 */
export async function readTurn(reading: TurnReading): Promise<ShownTurn | undefined> {
  const { log, thread, turn, signal } = reading
  const start = await startOf({ log, turn }, thread)
  if (!start || turnOf(start) !== turn) throw notFound('turn')
  if (signal.aborted) return undefined
  const records = log.subscribe(thread, { after: start.seq - 1 })
  const leave = (): void => inBackground(records.return?.())
  signal.addEventListener('abort', leave)
  try {
    const reader = new TurnReader(reading)
    for await (const batch of records) {
      const shown = await reader.take(batch)
      if (shown) return shown
    }
    return undefined
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

class TurnReader {
  readonly #reading: TurnReading
  #turn: string
  #stored: TurnOutcome
  #shown: TurnOutcome
  /** A turn that has ended with questions that were answered, and how far the log reached then. */
  #answered: { readonly ended: ShownTurn; readonly head: number } | undefined

  constructor(reading: TurnReading) {
    this.#reading = reading
    this.#turn = reading.turn
    this.#stored = new TurnOutcome(reading.turn)
    this.#shown = new TurnOutcome(reading.turn)
  }

  /** Returns how the turn ended once a record says so. */
  async take(records: readonly LogRecord[]): Promise<ShownTurn | undefined> {
    for (const record of records) {
      const shown = await this.#take(record)
      if (shown) return shown
    }
    return undefined
  }

  async #take(record: LogRecord): Promise<ShownTurn | undefined> {
    if (this.#answered) {
      const { ended, head } = this.#answered
      if (!this.#goesOn(record)) return record.seq < head ? undefined : withoutQuestions(ended)
    }
    if (turnOf(record) !== this.#turn) return undefined
    const { view, said } = this.#reading
    this.#stored.take([record])
    const visible = view.record(record)
    if (visible) {
      this.#shown.take([visible])
      said(wordsIn(visible))
    }
    if (record.origin.depth > 0 || !endsTurn(record)) return undefined
    return this.#end(visible !== undefined)
  }

  /** Whoever asked learns how the turn ended, and of the rest what their role reads. */
  async #end(isVisible: boolean): Promise<ShownTurn | undefined> {
    const { reason } = this.#stored.result(undefined)
    const { text, waits, error } = this.#shown.result(undefined)
    const turn = this.#turn
    const ended = { turn, reason, text: text.trim(), waits, ...(error && isVisible && { error }) }
    const { isOpen, log, thread } = this.#reading
    if (reason !== 'interrupt' || (await isOpen(turn))) return ended
    this.#answered = { ended, head: await log.head(thread) }
    return undefined
  }

  #goesOn(record: LogRecord): boolean {
    const asked = new Set(this.#answered?.ended.waits.map(({ id }) => id))
    const answers = record.type === 'RUN_STARTED' ? (resumedBy(record) ?? []) : []
    if (!answers.some((answer) => asked.has(textOf(answer, 'interruptId')))) return false
    this.#answered = undefined
    this.#turn = turnOf(record)
    this.#stored = new TurnOutcome(this.#turn)
    this.#shown = new TurnOutcome(this.#turn)
    return true
  }
}

/** Nobody can answer any more: the question was given up. */
function withoutQuestions(ended: ShownTurn): ShownTurn {
  return { ...ended, reason: 'cancelled', waits: [] }
}

function wordsIn({ type, data, origin }: LogRecord): string {
  const isWord = type === 'TEXT_MESSAGE_CONTENT' && origin.depth === 0 && origin.source !== 'ui'
  return isWord ? textOf(data, 'delta') : ''
}
