import { reachable, withinEmits } from '../agents/index.ts'
import { ourMetadata } from '../activity/index.ts'
import { assert } from '../assert/index.ts'
import {
  ERASURE,
  decide,
  evolveUnfrozen,
  holdsRedacted,
  lifted,
  reconcile,
  unmarked,
  whyReserved,
} from '../domain/index.ts'
import type { DecidedEvent, Decision, Domain } from '../domain/index.ts'
import { stableId } from '../gate/index.ts'
import { equalJson, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { foldCauses } from '../thread/index.ts'
import type { Definition } from './definition.ts'
import { FoldedStates } from './folded-states.ts'
import { DIFFERENCES_MAX, notCompared } from './difference.ts'
import type { Difference, ThreadReport, Undecided } from './difference.ts'
import { ShownData } from './shown-data.ts'
import { commitAt, isDecision, proposedType } from './stored-commits.ts'
import type { StoredCommit } from './stored-commits.ts'
import { StoredProposals } from './stored-proposals.ts'
import type { StoredProposal } from './stored-proposals.ts'

export interface AgainOptions {
  /** 1 folds the records with the reducers of the definition; 2 also decides each proposal again. */
  readonly level: 1 | 2
  /** The definition that made the records: then their states are compared too. */
  readonly base?: Definition | undefined
}

/**
 * Decides the stored proposals of a thread again, by a definition, and compares the results with the records. Pure.
 *
 * @throws whatever a function of the definition throws
 */
export function decideAgain(
  definition: Definition,
  records: readonly LogRecord[],
  options: AgainOptions,
): ThreadReport {
  const thread = records[0]?.thread ?? ''
  if (records.some(({ type }) => type === ERASURE)) {
    return notCompared(thread, 'skipped', 'its person was erased')
  }
  const hidden = records.find(
    (record) => isDecision(definition.domain, record) && holdsRedacted(record.data),
  )
  if (hidden) {
    const why = `record ${hidden.seq} is redacted; replay with its keys, or as a role that reads all`
    return notCompared(thread, 'cannot_tell', why)
  }
  return new Again(definition, records, options).report()
}

class Again {
  readonly #domain: Domain<unknown>
  readonly #agents: ReturnType<typeof agentsOf>
  readonly #records: readonly LogRecord[]
  readonly #options: AgainOptions
  readonly #proposals: StoredProposals
  readonly #shown: ShownData
  readonly #states: FoldedStates
  readonly #differences: Difference[] = []
  readonly #undecided: Undecided[] = []
  #decided = 0
  /** After the new decisions. */
  #state: unknown
  #causes: Readonly<Record<string, string>> = {}

  constructor(definition: Definition, records: readonly LogRecord[], options: AgainOptions) {
    const { domain } = definition
    this.#domain = domain
    this.#agents = agentsOf(definition)
    this.#records = records
    this.#options = options
    this.#proposals = new StoredProposals(domain)
    this.#shown = new ShownData(domain)
    this.#state = domain.initial
    this.#states = new FoldedStates(domain, options.base?.domain)
  }

  report(): ThreadReport {
    const records = this.#records
    try {
      this.#decideAll()
    } catch (error) {
      // After a difference a definition meets states that it never made.
      if (this.#differences.length === 0) throw error
    }
    return {
      thread: records[0]?.thread ?? '',
      verdict: this.#verdict,
      records: records.length,
      decided: this.#decided,
      differences: this.#differences,
      undecided: this.#undecided,
    }
  }

  #decideAll(): void {
    const records = this.#records
    for (let at = 0; at < records.length;) {
      const commit = this.#options.level === 2 ? commitAt(records, at, this.#domain) : undefined
      const taken = commit?.records ?? records.slice(at, at + 1)
      for (const record of taken) this.#requireKnown(record)
      if (commit) this.#commit(commit, at)
      else for (const record of taken) this.#activity(record, at)
      for (const record of taken) this.#fold(record)
      at += taken.length
    }
    const last = records.at(-1)
    if (last && this.#options.level === 2) this.#settle([], { pass: 'derive', last })
  }

  get #verdict(): ThreadReport['verdict'] {
    if (this.#differences.length > 0) return 'differs'
    return this.#undecided.length > 0 ? 'cannot_tell' : 'equal'
  }

  /** The fold leaves types alone that it does not know: one that is gone would go unnoticed. */
  #requireKnown(record: LogRecord): void {
    const { type, seq, data } = record
    if (this.#domain.events.has(type) || whyReserved(type) !== undefined) return
    this.#differ({
      seq,
      kind: 'type_gone',
      type,
      by: byOf(record),
      was: this.#shown.data(type, data),
    })
  }

  #activity(record: LogRecord, at: number): void {
    this.#proposals.note(record)
    if (this.#options.level === 1 || !endsSubmitting(record)) return
    // A commit without a decision leaves no mark: then no rule fired.
    const agent = this.#agents.get(record.origin.agent ?? '')
    const next = this.#records[at + 1]
    const isOver = !next || !isDecision(this.#domain, next)
    if (agent?.submits && isOver) this.#settle([], { pass: 'submit', last: record })
  }

  #commit(commit: StoredCommit, at: number): void {
    const { decided, derived, records } = commit
    for (const record of decided) {
      this.#decide(record, commit.typed ?? this.#proposals.hasTyped(record))
      this.#proposals.note(record)
    }
    const last = records.at(-1)
    assert(last, 'Cannot decide again: a commit without records')
    const pass = commit.pass ?? this.#guessedPass(commit, this.#records[at + records.length])
    this.#settle(derived, { pass, last })
  }

  #guessedPass({ derived, records: [first] }: StoredCommit, next: LogRecord | undefined) {
    const submitting = this.#domain.rules.filter(({ submits }) => submits).map(({ name }) => name)
    const hasSubmitted = derived.some(({ origin }) => submitting.includes(origin.rule ?? ''))
    const ends = next?.type === 'RUN_FINISHED' && next.ts === first?.ts
    const doesEnd = ends && this.#agents.get(next.origin.agent ?? '')?.submits === true
    return hasSubmitted || doesEnd ? 'submit' : 'derive'
  }

  #decide(record: LogRecord, typed: boolean): void {
    const proposal = this.#proposals.take(record)
    if (proposal.status === 'given') return
    this.#decided++
    const isRefused = record.type === 'event_refused'
    const type = proposedType(record)
    if (proposal.status === 'unknown') {
      this.#leaveOpen({ seq: record.seq, type, why: proposal.why })
      if (!isRefused) this.#accept(record)
      return
    }
    const decision = this.#decisionOn(record, { type, ...proposal, typed })
    if (decision === 'given') return
    if (isRefused) this.#compareRefused(record, type, decision)
    else this.#compareAccepted(record, proposal, decision)
  }

  #decisionOn(record: LogRecord, { type, data, call, typed }: Proposed): Decision | 'given' {
    const { id, ts } = record
    const { origin } = unmarked(record)
    const proposal = { id, type, data, origin }
    const agent = origin.source === 'model' ? this.#agents.get(origin.agent ?? '') : undefined
    if (agent) {
      const [checked] = withinEmits(agent, [proposal], call?.name)
      if (checked?.refused) return checked.refused
    } else if (origin.source === 'model' && textOf(record.data, 'reason') === 'not_authorised') {
      // What an unknown agent may propose is not known.
      return 'given'
    }
    return decide(this.#domain, this.#state, { proposal, now: ts, typed })
  }

  #compareAccepted(
    record: LogRecord,
    { data: proposed, exact }: StoredProposal & { readonly status: 'known' },
    decision: Decision,
  ): void {
    const { seq, type } = record
    const at = { seq, type, by: byOf(record) }
    const isExact = (): boolean => exact || this.#states.wasMadeOf(record, proposed)
    if ('accepted' in decision) {
      const { data } = decision.accepted
      const stored = this.#lifted(record)
      if (!equalJson(data, stored)) {
        const [was, now] = [this.#shown.data(type, stored), this.#shown.data(type, data)]
        if (isExact()) this.#differ({ ...at, kind: 'other_result', was, now })
        else this.#leaveOpen({ seq, type, why: NO_INPUT })
      }
      this.#accept(decision.accepted)
    } else if (decision.refused !== 'invalid_payload' || isExact()) {
      const now = this.#shown.reason(type, decision)
      this.#differ({ ...at, kind: 'refused_now', was: this.#shown.data(type, record.data), now })
    } else {
      this.#leaveOpen({ seq, type, why: NO_INPUT })
      this.#accept(record)
    }
  }

  #compareRefused(record: LogRecord, type: string, decision: Decision): void {
    const was = textOf(record.data, 'reason')
    const at = { seq: record.seq, type, by: byOf(record), was }
    if ('accepted' in decision) {
      const now = this.#shown.data(type, decision.accepted.data)
      this.#differ({ ...at, kind: 'accepted_now', now })
      this.#accept(decision.accepted)
    } else if (decision.refused !== was) {
      this.#differ({ ...at, kind: 'other_result', now: this.#shown.reason(type, decision) })
    }
  }

  #accept(event: Pick<DecidedEvent, 'id' | 'ts' | 'type' | 'data' | 'origin' | 'v'>): void {
    this.#causes = foldCauses(this.#domain, this.#causes, event)
    this.#state = evolveUnfrozen(this.#domain, this.#state, event)
  }

  #settle(
    derived: readonly LogRecord[],
    { pass, last: { seq, ts } }: { readonly pass: 'derive' | 'submit'; readonly last: LogRecord },
  ): void {
    let count = 0
    // A state may hold ids: what a rule proposes keeps the id that it has on record.
    const id = (): string => derived[count++]?.id ?? stableId(String(seq), String(count))
    const causes = this.#causes
    const settled = reconcile(this.#domain, this.#state, { now: ts, causes, pass, id })
    this.#compareDerived(derived, settled.events, seq)
    for (const event of settled.events) {
      this.#causes = foldCauses(this.#domain, this.#causes, event)
    }
    this.#state = settled.state
  }

  #compareDerived(was: readonly LogRecord[], now: readonly DecidedEvent[], seq: number): void {
    const left = [...was]
    for (const event of now) {
      const found = left.findIndex((record) => this.#isSame(record, event))
      if (found !== -1) {
        left.splice(found, 1)
        continue
      }
      const { type, data, origin } = event
      const by = `rule ${origin.rule}`
      this.#differ({ seq, kind: 'rule_added', type, by, now: this.#shown.data(type, data) })
    }
    for (const { seq: at, type, origin, data } of left) {
      const by = `rule ${origin.rule}`
      this.#differ({ seq: at, kind: 'rule_gone', type, by, was: this.#shown.data(type, data) })
    }
  }

  #isSame(record: LogRecord, { type, origin, data }: DecidedEvent): boolean {
    const isOfRule = record.type === type && record.origin.rule === origin.rule
    return isOfRule && equalJson(this.#lifted(record), data)
  }

  #fold(record: LogRecord): void {
    const other = this.#states.take(record)
    if (!other) return
    const { seq, type } = record
    const now = this.#shown.operations(other.was, other.now)
    this.#differ({ seq, kind: 'other_state', type, by: byOf(record), now })
  }

  #lifted(record: LogRecord): Json {
    const entry = this.#domain.events.get(record.type)
    return entry ? lifted(entry, record) : record.data
  }

  #leaveOpen(undecided: Undecided): void {
    if (this.#undecided.length < DIFFERENCES_MAX) this.#undecided.push(undecided)
  }

  #differ(difference: Difference): void {
    if (this.#differences.length < DIFFERENCES_MAX) this.#differences.push(difference)
  }
}

interface Proposed extends Omit<StoredProposal & { readonly status: 'known' }, 'status' | 'exact'> {
  readonly type: string
  readonly typed: boolean
}

const NO_INPUT =
  'its input is not on record, only what `complete` made of it; give the old definition as --base'

function agentsOf({ agents }: Definition) {
  return new Map(reachable(agents).map((agent) => [agent.name, agent]))
}

/** Whether a turn ends well with this record, whatever comes after it. */
function endsSubmitting({ type, data }: LogRecord): boolean {
  if (type !== 'STEP_FINISHED') return false
  return ourMetadata(data)['settles'] === true
}

function byOf({ origin: { source, agent, surface, rule } }: LogRecord): string {
  if (source === 'model') return `agent ${agent ?? ''}`.trim()
  if (source === 'rule') return `rule ${rule ?? ''}`
  return surface === undefined ? source : `${source} on ${surface}`
}
