import fc from 'fast-check'
import { Gate, agentEvent } from 'throughline/server/extend'
import { isSpoken } from 'throughline/client'
import { MemoryLog } from 'throughline/log'
import type { LogRecord, Origin } from 'throughline'
import { Tokens } from 'throughline/server'
import { domain } from '../case/given-case.fixture.ts'
import { RecoverySeeds } from './recovery-seed.ts'
import { id, memoryLog, sha256 } from '../../../test/memory-log.fixture.ts'

export const THREAD = 'case-1'

const tokens = new Tokens(['a secret that all these stores share'])
const CUSTOMER: Origin = { source: 'ui', surface: 'customer', depth: 0, run: 'run-1' }

/** One step of a history: a request to a store, or the loss or return of its data. */
export type Step =
  | {
      readonly type: 'create' | 'click' | 'say' | 'withdraw' | 'refuse' | 'run' | 'idle'
      readonly at: number
    }
  | { readonly type: 'issue' | 'lose'; readonly at: number }
  | { readonly type: 'restore'; readonly at: number; readonly pick: number }
  | {
      readonly type: 'offer'
      readonly at: number
      readonly pick: number
      readonly age: 'fresh' | 'expired'
    }

/** A history over two to four stores, of which the first holds a case. */
export const anyHistory = fc.integer({ min: 2, max: 4 }).chain((stores) => {
  const at = fc.nat(stores - 1)
  const pick = fc.nat(1_000)
  const happens = (...types: readonly ('click' | 'say' | 'refuse' | 'run' | 'idle' | 'issue')[]) =>
    fc.record({ type: fc.constantFrom(...types), at })
  const age = fc.constantFrom('fresh', 'fresh', 'fresh', 'fresh', 'expired')
  const step: fc.Arbitrary<Step> = fc.oneof(
    { arbitrary: happens('click', 'say', 'refuse', 'run', 'idle'), weight: 5 },
    { arbitrary: happens('issue'), weight: 4 },
    { arbitrary: fc.record({ type: fc.constant('offer'), at, pick, age }), weight: 8 },
    { arbitrary: fc.record({ type: fc.constant('restore'), at, pick }), weight: 1 },
    {
      arbitrary: fc.record({ type: fc.constantFrom('lose', 'create', 'withdraw'), at }),
      weight: 1,
    },
  )
  return fc.record({
    stores: fc.constant(stores),
    steps: fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }),
  })
})

/** A store as a server holds it, with the facts that the case has there, in order. */
export class Store {
  facts: readonly string[] = []
  #log = newLog(id())
  #backups: readonly {
    readonly records: readonly LogRecord[]
    readonly facts: readonly string[]
  }[] = []
  #parts = partsOver(this.#log)

  async create(): Promise<void> {
    if (this.facts.length > 0) return
    const data = { sessionId: THREAD, retailerName: 'Sunny Roofs' }
    await this.#commit('created', { type: 'case_created', data, origin: SYSTEM })
  }

  async click(value: number): Promise<void> {
    const data = { annualIncome: value }
    await this.#commit(`click ${value}`, { type: 'record_financial_facts', data, origin: CUSTOMER })
  }

  async withdraw(value: number): Promise<void> {
    await this.#commit(`withdraw ${value}`, { type: 'withdraw', data: {}, origin: CUSTOMER })
  }

  async say(value: number): Promise<void> {
    if (this.facts.length === 0) return
    const messageId = `message ${value}`
    await this.#parts.gate.append(THREAD, [
      agentEvent('TEXT_MESSAGE_START', { messageId, role: 'user' }, CUSTOMER),
      agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta: messageId }, CUSTOMER),
      agentEvent('TEXT_MESSAGE_END', { messageId }, CUSTOMER),
    ])
    this.facts = [...this.facts, messageId]
  }

  /** Makes the log longer, and the case no different. */
  async refuse(): Promise<void> {
    if (this.facts.length === 0) return
    const origin = { source: 'model', surface: 'customer', depth: 0 } as const
    await this.#parts.gate.commit(THREAD, [{ id: id(), type: 'withdraw', data: {}, origin }])
  }

  async run(): Promise<void> {
    if (this.facts.length === 0) return
    const names = { threadId: THREAD, runId: id() }
    await this.#parts.gate.append(THREAD, [
      agentEvent('RUN_STARTED', names, CUSTOMER),
      agentEvent('RUN_ERROR', { message: 'no answer', code: 'provider' }, CUSTOMER),
    ])
  }

  /** Makes the log longer, as `refuse` does: a silence is no fact of the case. */
  async idle(): Promise<void> {
    if (this.facts.length === 0) return
    const data = { since: new Date().toISOString() }
    await this.#log.append(THREAD, [{ type: 'journey_idle', data, origin: SYSTEM }])
  }

  issue(): Promise<string> {
    return this.#parts.seeds.build(THREAD)
  }

  offer(seed: string) {
    return this.#parts.seeds.hydrate(THREAD, seed)
  }

  async backUp(): Promise<void> {
    this.#backups = [...this.#backups, { records: await this.records(), facts: this.facts }]
  }

  lose(): void {
    this.#open(newLog(id()))
    this.facts = []
    this.#backups = []
  }

  /** Goes back to one of the backups, in the same history: the log keeps its epoch. */
  async restore(pick: number): Promise<void> {
    const backup = this.#backups[pick % this.#backups.length]
    if (!backup) return
    const log = newLog(this.#log.epoch)
    await log.append(THREAD, backup.records)
    this.#open(log)
    this.facts = backup.facts
    this.#backups = this.#backups.slice(0, this.#backups.indexOf(backup) + 1)
  }

  async records(): Promise<readonly LogRecord[]> {
    const records: LogRecord[] = []
    for await (const batch of this.#log.read(THREAD)) records.push(...batch)
    return records
  }

  /** Returns the case's facts. */
  async shown() {
    const { state, conversation } = await this.#parts.gate.snapshot(THREAD)
    return {
      income: state.case.financial.annualIncome,
      withdrawn: state.case.status === 'withdrawn',
      messages: conversation.messages.filter(isSpoken).map(({ text }) => text),
    }
  }

  #open(log: MemoryLog): void {
    this.#log = log
    this.#parts = partsOver(log)
  }

  async #commit(
    fact: string,
    proposal: { readonly type: string; readonly data: object; readonly origin: Origin },
  ): Promise<void> {
    if (this.facts.length === 0 && proposal.type !== 'case_created') return
    const { answers } = await this.#parts.gate.commit(THREAD, [{ id: id(), ...proposal }])
    if (answers.every(({ refusal }) => !refusal)) {
      this.facts = [...this.facts, `${fact} ${answers[0]?.record.hash}`]
    }
  }
}

const SYSTEM: Origin = { source: 'system', depth: 0 }

function newLog(epoch: string): MemoryLog {
  return memoryLog({ epoch })
}

function partsOver(log: MemoryLog) {
  const gate = new Gate({ log, domain, now: Date.now, id, sha256 })
  return { gate, seeds: new RecoverySeeds({ log, gate, tokens, id }) }
}

/** Returns the expected view of a case with these facts. */
export function shownBy(facts: readonly string[]): Awaited<ReturnType<Store['shown']>> {
  const clicks = facts.filter((fact) => fact.startsWith('click'))
  const income = clicks.at(-1)?.split(' ')[1]
  return {
    income: income === undefined ? undefined : Number(income),
    withdrawn: facts.some((fact) => fact.startsWith('withdraw')),
    messages: facts.filter((fact) => fact.startsWith('message')),
  }
}
