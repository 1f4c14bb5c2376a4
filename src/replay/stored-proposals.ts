import { customValue, turnOf } from '../activity/index.ts'
import { lifted } from '../domain/index.ts'
import type { Domain } from '../domain/index.ts'
import { AgentStreamParser } from '../inline/index.ts'
import { membersOf, ownMember, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { sha256 } from '../platform/index.ts'
import { CallsOnRecord, parsed } from './calls-on-record.ts'
import type { CallOnRecord } from './calls-on-record.ts'

/** Earlier data of a type that a refused click is compared with, by its digest. */
const REFUSED_GUESSES_MAX = 8

/**
 * What was proposed, as far as the log holds it. `exact`: as it was, not what the gate made of it. `given`: its
 * reader refused it, whatever the domain says.
 */
export type StoredProposal =
  | {
      readonly status: 'known'
      readonly data: unknown
      readonly exact: boolean
      /** The call of a tool that proposed it. */
      readonly call?: CallOnRecord
    }
  | { readonly status: 'given' }
  | { readonly status: 'unknown'; readonly why: string }

type TakeTag = (isIt: (tag: Tag) => boolean) => Tag | undefined

interface Tag {
  readonly type: string
  readonly data: unknown
  readonly raw: string
}

/** Finds the proposals behind the decisions of a thread. Takes its records in their order. */
export class StoredProposals {
  readonly #domain: Domain<unknown>
  /** Tags of the last output of each run that no decision has taken yet. */
  readonly #tags = new Map<string, Tag[]>()
  readonly #typed = new Set<string>()
  readonly #calls = new CallsOnRecord()
  readonly #earlier = new Map<string, readonly Json[]>()

  constructor(domain: Domain<unknown>) {
    this.#domain = domain
  }

  note(record: LogRecord): void {
    const { type, origin, data } = record
    const { run } = origin
    if (type === 'TEXT_MESSAGE_START' && origin.source === 'ui') this.#typed.add(turnOf(record))
    this.#calls.note(record)
    const output = customValue(record, 'model_output')
    if (output !== undefined && run !== undefined) this.#tags.set(run, tagsIn(output))
    if (!this.#domain.events.has(type)) return
    this.#earlier.set(type, [
      ...(this.#earlier.get(type) ?? []).slice(1 - REFUSED_GUESSES_MAX),
      data,
    ])
  }

  /** Whether a person is known to have written in the turn of a record. */
  hasTyped(record: LogRecord): boolean {
    return this.#typed.has(turnOf(record))
  }

  take(record: LogRecord): StoredProposal {
    const proposer = record.origin.source === 'model' ? this.#calls.proposerOf(record) : undefined
    const read = (take: TakeTag): StoredProposal =>
      record.type === 'event_refused' ? this.#refused(record, take) : this.#accepted(record, take)
    if (!proposer) return read((isIt) => this.#takeTag(record, isIt))
    const { call, kind } = proposer
    const { type } = record
    const input: Tag = { type, data: parsed(call.args), raw: call.args }
    const proposal = read(() => (kind === 'event' ? input : undefined))
    return kind === 'tool' && proposal.status === 'known' ? { ...proposal, call } : proposal
  }

  #accepted(record: LogRecord, take: TakeTag): StoredProposal {
    const tag = take(({ type }) => type === record.type)
    if (tag) return { status: 'known', data: tag.data, exact: true }
    const entry = this.#domain.events.get(record.type)
    if (!entry) return { status: 'unknown', why: 'its type is no event of the definition' }
    const stored = lifted(entry, record)
    if (!entry.complete) return { status: 'known', data: stored, exact: true }
    return { status: 'known', data: asInput(this.#domain, record.type, stored), exact: false }
  }

  #refused(record: LogRecord, take: TakeTag): StoredProposal {
    const { data } = record
    const digest = textOf(data, 'digest')
    const tag = take(({ raw }) => sha256(raw) === digest)
    if (READER_REASONS.has(textOf(data, 'reason'))) return { status: 'given' }
    const kept = ownMember(membersOf(data), 'proposal')
    if (kept !== undefined) return { status: 'known', data: kept, exact: true }
    if (tag) return { status: 'known', data: tag.data, exact: true }
    const type = textOf(data, 'type')
    const isIt = (guess: unknown): boolean =>
      sha256(JSON.stringify({ type, data: guess })) === digest
    const earlier = (this.#earlier.get(type) ?? []).map((each) => asInput(this.#domain, type, each))
    const guess = [{}, ...earlier].find(isIt)
    if (guess !== undefined) return { status: 'known', data: guess, exact: true }
    return { status: 'unknown', why: 'it was refused, and only its digest is on record' }
  }

  #takeTag({ origin: { source, run } }: LogRecord, isIt: (tag: Tag) => boolean): Tag | undefined {
    const tags = source === 'model' && run !== undefined ? this.#tags.get(run) : undefined
    const at = tags?.findIndex(isIt) ?? -1
    return at === -1 ? undefined : tags?.splice(at, 1)[0]
  }
}

/** Stored data without the members that the type's strict schema does not know: `complete` added those. */
export function asInput({ events }: Domain<unknown>, type: string, data: Json): Json {
  const result = events.get(type)?.schema['~standard'].validate(data)
  if (!result || result instanceof Promise || !result.issues) return data
  const unknown = new Set(result.issues.flatMap((issue) => unknownKeys(issue)))
  const known = Object.entries(membersOf(data)).filter(([key]) => !unknown.has(key))
  return unknown.size === 0 ? data : Object.fromEntries(known)
}

/** What reads proposals refuses for these reasons, before any domain decides. */
const READER_REASONS: ReadonlySet<string> = new Set([
  'malformed',
  'echoed',
  'quoted',
  'truncated',
  'too_large',
  'limit',
])

/** Zod names the members that a strict object does not know. */
function unknownKeys(issue: object): readonly string[] {
  const keys: unknown = Reflect.get(issue, 'keys')
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}

function tagsIn(output: Json): Tag[] {
  const parser = new AgentStreamParser()
  const read = [parser.feed(textOf(output, 'text')), parser.flush()]
  return read.flatMap(({ events, raw }) =>
    events.map(({ type, data }, at) => ({ type, data, raw: raw[at] ?? '' })),
  )
}
