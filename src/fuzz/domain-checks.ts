import type { App } from '../application/index.ts'
import { decide, dueDeadlines, dueEffects, evolve, reconcile } from '../domain/index.ts'
import type { AnyEventType, Domain } from '../domain/index.ts'
import { equalJson, whyNotJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { uuidv7 } from '../platform/index.ts'
import type { ImpurityWatch } from '../replay/index.ts'
import type { FindingKind, Seen } from './finding.ts'
import type { Proposed } from './step.ts'

/** Events by their type. */
export type Counts = Map<string, number>

interface ChecksParts {
  readonly watch: ImpurityWatch
  readonly found: (seen: Seen) => void
}

type Moment = Pick<LogRecord, 'ts' | 'origin'>

/** Follows a thread's state, and looks at each event as nobody has to who only uses a domain. */
export class DomainChecks {
  /** The events of the domain so far. */
  past: readonly LogRecord[] = []
  readonly #app: App
  readonly #parts: ChecksParts
  /** What only the server knows may come from its clock: `complete` is left out. */
  readonly #domain: Domain<unknown>
  #state: unknown
  #activeAt = 0
  #proposal: (Proposed & Moment) | undefined

  constructor(app: App, parts: ChecksParts) {
    this.#app = app
    this.#parts = parts
    this.#domain = { ...app.domain, events: new Map([...app.domain.events].map(withoutComplete)) }
    this.#state = app.domain.initial
  }

  /** Decides a proposal on its own: one that throws would end whatever it is in. */
  decide(proposed: Proposed, { ts, origin }: Moment): 'accepted' | 'refused' | 'throws' {
    const { type, data } = proposed
    this.#proposal = { type, data, ts, origin }
    const proposal = { id: uuidv7(), type, data, origin }
    const part = `what decides "${proposed.type}"`
    const question = { proposal, now: ts, typed: true }
    const decision = this.#calling(part, () => decide(this.#domain, this.#state, question))
    if (!decision) return 'throws'
    if ('refused' in decision) return 'refused'
    const next = this.#calling(`the reducer of "${type}"`, () => ({
      state: evolve(this.#app.domain, this.#state, decision.accepted),
    }))
    return next && this.#settles(decision.accepted, next.state) ? 'accepted' : 'throws'
  }

  /** `written`: how many events of each type a model and its tools may have given; `quoted`: the same in code and echoes. */
  take(records: readonly LogRecord[], written: Counts, quoted: Counts): void {
    for (const record of records) {
      const entry = this.#app.domain.events.get(record.type)
      if (!entry) continue
      this.#proposal = {
        type: record.type,
        data: record.data,
        ts: record.ts,
        origin: record.origin,
      }
      this.#authority(record, entry)
      this.#place(record, written, quoted)
      this.#fold(record)
      this.past = [...this.past, record]
    }
    this.#proposal = undefined
  }

  #authority({ type, origin }: LogRecord, { by }: AnyEventType<unknown>): void {
    const isDeclared = by.some(
      ({ source, surface }) =>
        source === origin.source && (surface === undefined || surface === origin.surface),
    )
    if (isDeclared) return
    const who = `${origin.source}${origin.surface === undefined ? '' : ` on "${origin.surface}"`}`
    this.#found(
      'beyond_authority',
      `"${type}"`,
      `"${type}" was accepted of ${who}, which no \`by\` names`,
    )
  }

  /** More events than tags in prose and proposals of tools came from a tag in code, or from an echo. */
  #place({ type, origin }: LogRecord, prose: Counts, others: Counts): void {
    if (origin.source !== 'model') return
    const left = prose.get(type) ?? 0
    prose.set(type, left - 1)
    if (left > 0 || !others.has(type)) return
    this.#found(
      'quoted',
      `"${type}"`,
      `a tag of "${type}" in code, or that a person wrote, was accepted`,
    )
  }

  #fold(record: LogRecord): void {
    const { type, ts, origin } = record
    const before = this.#state
    const next = this.#calling(`the reducer of "${type}"`, () => ({
      state: evolve(this.#app.domain, before, record),
    }))
    if (!next) return
    const { state } = next
    this.#state = state
    if (origin.source === 'ui' || state !== before) this.#activeAt = ts
    const again = evolve(this.#app.domain, before, record)
    if (!equalJson(state as Json, again as Json))
      this.#found(
        'impure',
        `the reducer of "${type}"`,
        'the same record folded twice gives two states',
      )
    const why = whyNotJson(state, 'state')
    if (why !== undefined) this.#found('not_json', `the state after "${type}"`, why)
    this.#invariants(state)
    this.#consequences(record, state)
  }

  #invariants(state: unknown): void {
    for (const [at, holds] of this.#app.domain.invariants.entries()) {
      const name = holds.name === '' ? `invariant ${at + 1}` : `invariant "${holds.name}"`
      const answer = this.#calling(name, () => ({ holds: holds(state) }))
      if (answer && answer.holds !== true) this.#found('invariant', name, `${name} does not hold`)
    }
  }

  #consequences({ type, ts, origin }: LogRecord, state: unknown): void {
    const { domain, roles } = this.#app
    if (origin.source !== 'rule') this.#settles({ type, ts }, state)
    this.#calling('what is due', () => [
      dueEffects(domain, state),
      dueDeadlines(domain, { state, activeAt: this.#activeAt }),
    ])
    for (const [name, { read }] of roles)
      if (typeof read === 'object')
        this.#calling(`the view of "${name}"`, () => [read.state(state)])
  }

  /** Whether the rules come to rest, in turns that may start work in the world too. */
  #settles({ type, ts }: Pick<LogRecord, 'type' | 'ts'>, state: unknown): boolean {
    return (['derive', 'submit'] as const).every((pass) => {
      const context = { now: ts, id: uuidv7, pass }
      const rest = () => reconcile(this.#domain, state, context)
      return this.#calling(`the rules after "${type}"`, rest, 'rules') !== undefined
    })
  }

  #calling<Result extends object>(
    part: string,
    work: () => Result,
    kind: FindingKind = 'throws',
  ): Result | undefined {
    const { watch } = this.#parts
    watch.read()
    try {
      const result = work()
      const read = watch.read()
      if (read !== undefined) this.#found('impure', part, `it calls ${read}`)
      return result
    } catch (error) {
      this.#found(kind, part, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  #found(kind: FindingKind, part: string, detail: string): void {
    const { past } = this
    const proposal = this.#proposal
    this.#parts.found({ kind, part, detail, past, ...(proposal && { proposal }) })
  }
}

function withoutComplete([type, { complete: _, ...entry }]: readonly [
  string,
  AnyEventType<unknown>,
]): [string, AnyEventType<unknown>] {
  return [type, entry]
}
