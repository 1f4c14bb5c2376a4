import { createHash } from 'node:crypto'
import { Gate } from '../../src/gate/index.ts'
import type { Commit, CommitOptions, GateProposal } from '../../src/gate/index.ts'
import type { EventLog, LogRecord } from 'throughline/log'
import { EMITTERS, START, domain } from '../../apps/broker/case/given-case.fixture.ts'
import type { Act } from '../../apps/broker/case/given-case.fixture.ts'
import { memoryLog } from '../memory-log.fixture.ts'

export type BrokerState = typeof domain.initial

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
export const hashOf = (state: unknown) => sha256(JSON.stringify(state))

const ACT_EVERY_MS = 1_000

/** A case behind the real gate, at a clock that moves with each act or where the test puts it. */
export class GatedCase {
  readonly thread = 'case-1'
  readonly log: EventLog
  readonly gate: Gate<BrokerState>
  now = START
  #ids = 0

  constructor(log?: EventLog, played = domain) {
    const id = () => this.id()
    const now = () => this.now
    this.log = log ?? memoryLog({ now, id })
    this.gate = new Gate({ log: this.log, domain: played, now, id, sha256 })
  }

  id(): string {
    return `00000000-0000-7000-8000-${(this.#ids++).toString(16).padStart(12, '0')}`
  }

  proposal({ by, type, data = {} }: Act, id = this.id()): GateProposal {
    return { id, type, data, origin: EMITTERS[by] }
  }

  commit(act: Act, options: CommitOptions & { readonly id?: string } = {}) {
    this.now += ACT_EVERY_MS
    const { typed = false, pass = 'derive' } = act
    const { id, ...more } = options
    return this.gate.commit(this.thread, [this.proposal(act, id)], { typed, pass, ...more })
  }

  async play(acts: readonly Act[]): Promise<void> {
    for (const act of acts) await this.commit(act)
  }

  async state(): Promise<BrokerState> {
    return (await this.gate.snapshot(this.thread)).state
  }

  async records(): Promise<readonly LogRecord[]> {
    const records: LogRecord[] = []
    for await (const batch of this.log.read(this.thread)) records.push(...batch)
    return records
  }
}

export type CaseCommit = Commit<BrokerState>
