import { ActivityRedaction } from '../activity/index.ts'
import { REDACTED, keepOnly, redactAt } from '../json/index.ts'
import type { Json, KeptMembers } from '../json/index.ts'
import type { LogRecord, Origin } from '../log/index.ts'
import type { Domain } from './define-domain.ts'
import { lifted } from './evolve.ts'
import type { LibraryRecord } from './reserved-names.ts'

/** What stays of the library's own records. */
const LIBRARY_RULES: Readonly<Record<LibraryRecord, KeptMembers>> = {
  event_refused: { type: kept, reason: kept, source: kept },
  effect_requested: { effect: kept },
  token_revoked: { role: kept, token: kept, generation: kept },
  link_opened: { role: kept, session: kept },
  thread_erased: { by: kept, why: kept, sealed: kept, clear: kept, state: (state) => state },
  // In a thread of the library's own, which no role reads.
  checkpoint_heads: {},
  checkpoint_signed: {},
  checkpoint_cosigned: {},
}

type Redactable = Pick<LogRecord, 'type' | 'data' | 'v'>

/**
 * Redacts records of a domain's threads: the `personal` members of its events, and all texts of agents. Hashes
 * are left out, since a reader could test guesses with them. Closed by default: of an unknown record only the
 * envelope stays. Pure.
 */
export class RecordRedaction<State> {
  readonly #domain: Domain<State>
  readonly #activity: ActivityRedaction

  /** `names`: those that the application gives its agents and their tools. */
  constructor(domain: Domain<State>, names: Iterable<string>) {
    const effects = domain.effects.map(({ name }) => name)
    this.#domain = domain
    this.#activity = new ActivityRedaction(new Set([...names, ...effects]))
  }

  record(record: LogRecord): LogRecord {
    return {
      ...record,
      ...this.data(record),
      origin: this.origin(record.origin),
      prev: '',
      hash: '',
    }
  }

  origin(origin: Origin): Origin {
    return this.#activity.origin(origin)
  }

  /** The data, in the version that it then has. */
  data(record: Redactable): Pick<LogRecord, 'data' | 'v'> {
    const { type, data, v } = record
    const entry = this.#domain.events.get(type)
    if (entry?.personal) return this.#personal(record, entry.personal)
    if (entry) return { data, v }
    if (!Object.hasOwn(LIBRARY_RULES, type)) return { data: this.#activity.data(record), v }
    const rules = LIBRARY_RULES[type as LibraryRecord]
    return { data: this.#withKnownType(type, keepOnly(data, rules)), v }
  }

  /** Paths are those of the newest version of the type: older data is lifted first. */
  #personal(record: Redactable, paths: readonly string[]): Pick<LogRecord, 'data' | 'v'> {
    const entry = this.#domain.events.get(record.type)
    try {
      const data = entry ? lifted(entry, record) : REDACTED
      return { data: redactAt(data, paths), v: entry?.version ?? 1 }
    } catch {
      return { data: REDACTED, v: record.v }
    }
  }

  /** A model writes the type of its tag, and it may be any text. */
  #withKnownType(type: string, data: Json): Json {
    if (type !== ('event_refused' satisfies LibraryRecord)) return data
    const known: KeptMembers = {
      reason: kept,
      source: kept,
      type: (name) => (typeof name === 'string' && this.#domain.events.has(name) ? name : REDACTED),
    }
    return keepOnly(data, known)
  }
}

function kept(value: Json): Json {
  return typeof value === 'object' ? REDACTED : value
}
