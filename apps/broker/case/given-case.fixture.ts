import { decide, evolve, reconcile } from 'throughline'
import type { LogRecord, Origin, Refusal } from 'throughline'
import { brokerDisclosures, disclosureRegistry } from '../disclosures/index.ts'
import { builtInPanel } from '../lenders/index.ts'
import { brokerDomain } from './broker-domain.ts'
import type { BrokerState } from './case-domain.ts'
import type { CaseState } from './state.ts'
import { sha256 } from '../../../test/memory-log.fixture.ts'

export const disclosures = disclosureRegistry(brokerDisclosures(builtInPanel.lenders), sha256)
export const domain = brokerDomain({ disclosures })

export const EMITTERS = {
  installer: { source: 'ui', surface: 'installer', depth: 0 },
  customer: { source: 'ui', surface: 'customer', depth: 0 },
  auditor: { source: 'ui', surface: 'auditor', depth: 0 },
  operator: { source: 'ui', surface: 'operator', depth: 0 },
  installerModel: { source: 'model', surface: 'installer', depth: 0 },
  customerModel: { source: 'model', surface: 'customer', depth: 0 },
  rule: { source: 'rule', rule: 'R0', depth: 0 },
  system: { source: 'system', depth: 0 },
} satisfies Record<string, Origin>
export type Emitter = keyof typeof EMITTERS
export const EVERYBODY: readonly Emitter[] = [
  'installer',
  'customer',
  'auditor',
  'operator',
  'installerModel',
  'customerModel',
  'rule',
  'system',
]

/** A proposal; `pass` is the pass that the rules run in afterwards. */
export interface Act {
  readonly by: Emitter
  readonly type: string
  readonly data?: unknown
  readonly typed?: boolean
  readonly pass?: 'derive' | 'submit'
}

export const START = Date.parse('2026-11-20T10:00:00.000Z')
const ACT_EVERY_MS = 1_000

/** A thread after some acts, each decided by the gate and followed by the rules. */
export class GivenCase {
  readonly state: BrokerState
  readonly records: readonly LogRecord[]
  readonly refusal: Refusal | undefined
  readonly fired: readonly string[]
  readonly #acts: number

  constructor(past?: GivenCase, news: Partial<GivenCase> = {}) {
    this.state = news.state ?? past?.state ?? domain.initial
    this.records = news.records ?? past?.records ?? []
    this.refusal = news.refusal
    this.fired = news.fired ?? []
    this.#acts = past ? past.#acts + 1 : 0
  }

  get case(): CaseState {
    return this.state.case
  }

  when(act: Act): GivenCase {
    const now = START + this.#acts * ACT_EVERY_MS
    const { type, data = {}, by, typed = false, pass = 'derive' } = act
    const proposal = { id: `act-${this.#acts}`, type, data, origin: EMITTERS[by] }
    const decision = decide(domain, this.state, { proposal, now, typed })
    const accepted = 'accepted' in decision ? [decision.accepted] : []
    const state = accepted.reduce((before, event) => evolve(domain, before, event), this.state)
    let derived = 0
    const id = (): string => `derived-${this.#acts}-${derived++}`
    const settled = reconcile(domain, state, { now, id, pass })
    const records = [...accepted, ...settled.events].map((event, index) => ({
      ...event,
      seq: this.records.length + index,
      thread: 'case-1',
      prev: '',
      hash: '',
    }))
    return new GivenCase(this, {
      state: settled.state,
      records: [...this.records, ...records],
      fired: settled.fired,
      ...('refused' in decision && { refusal: decision }),
    })
  }
}

/** Plays acts that must all be accepted. */
export function given(...acts: readonly Act[]): GivenCase {
  return acts.reduce((past, act) => {
    const next = past.when(act)
    if (next.refusal) throw new Error(`Cannot set up: ${act.type}: ${next.refusal.detail}`)
    return next
  }, new GivenCase())
}
