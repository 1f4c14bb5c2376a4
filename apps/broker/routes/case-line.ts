import { foldCuts } from 'throughline/client'
import type { CutRun } from 'throughline/client'
import type { Domain, EventLog, LogRecord } from 'throughline'
import { NewestMap, recordAt } from 'throughline/server/extend'
import { SEED_POINTS_MAX, hydrationSource } from '../case/index.ts'
import type { BrokerState, SeedHead } from '../case/index.ts'

/**
 * Which facts a case consists of, over every log that has held it. A fact is an accepted event or a
 * whole message. Refusals, runs, noted silences and the hydration itself are not facts: they carry nothing
 * of the case.
 */
export interface CaseLine {
  /** The last record that was read. */
  readonly seq: number
  /** The last fact, in the log that recorded it first. */
  readonly head: SeedHead | undefined
  /** The newest facts, oldest first, each by the start of its hash. */
  readonly points: readonly string[]
  /** When the application was submitted. */
  readonly submittedAt: string | undefined
  readonly cuts: readonly CutRun[]
}

export const NO_LINE: CaseLine = {
  seq: -1,
  head: undefined,
  points: [],
  submittedAt: undefined,
  cuts: [],
}

/** A hash covers its record and all before it, so the start of one names a whole history. */
const POINT_CHARS = 32

function pointOf({ hash }: Pick<SeedHead, 'hash'>): string {
  return hash.slice(0, POINT_CHARS)
}

/** Threads whose line is kept in memory; the least recently used go first. */
export const LINES_CACHED_MAX = 500

/** Reads the lines of cases out of their log. */
export class CaseLines {
  readonly #log: EventLog
  readonly #domain: Domain<BrokerState>
  readonly #kept = new NewestMap<CaseLine>(LINES_CACHED_MAX)

  constructor(log: EventLog, domain: Domain<BrokerState>) {
    this.#log = log
    this.#domain = domain
  }

  /** The line up to and with the record at `upTo`. */
  async at(thread: string, upTo: number): Promise<CaseLine> {
    const kept = this.#kept.get(thread)
    let line = kept && kept.seq <= upTo ? kept : NO_LINE
    const limit = upTo - line.seq
    if (limit > 0) {
      for await (const records of this.#log.read(thread, { after: line.seq, limit })) {
        for (const record of records) line = this.#fold(line, record)
      }
    }
    this.#kept.set(thread, line)
    return line
  }

  /** Whether the log itself holds this fact. */
  async holds(thread: string, { seq, hash }: SeedHead): Promise<boolean> {
    return (await recordAt(this.#log, thread, seq))?.hash === hash
  }

  #fold(line: CaseLine, record: LogRecord): CaseLine {
    const { seq, hash, ts, type } = record
    const cuts = foldCuts(line.cuts, record)
    const source = hydrationSource(record)
    if (source) {
      const { from: head, line: points, submittedAt } = source
      return { seq, head, points, submittedAt, cuts }
    }
    if (!this.#isFact(record)) return { ...line, seq, cuts }
    const head = { epoch: this.#log.epoch, seq, hash }
    const submitted = type === 'submit_application' ? new Date(ts).toISOString() : undefined
    return {
      seq,
      head,
      points: [...line.points, pointOf(head)].slice(-SEED_POINTS_MAX),
      submittedAt: line.submittedAt ?? submitted,
      cuts,
    }
  }

  #isFact(record: LogRecord): boolean {
    const isOfCase = record.type !== 'journey_idle' && this.#domain.events.has(record.type)
    return isOfCase || isSaidHere(record)
  }
}

/** Ends a message that belongs to a turn; one that a seed brought back belongs to none. */
function isSaidHere({ type, origin }: LogRecord): boolean {
  return type === 'TEXT_MESSAGE_END' && origin.run !== undefined
}
