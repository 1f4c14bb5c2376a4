import fc from 'fast-check'
import { SEED_LIFETIME_S } from 'throughline/server/extend'
import { afterEach, expect, test, vi } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { Store, anyHistory, shownBy } from './store-histories.fixture.ts'
import type { Step } from './store-histories.fixture.ts'

afterEach(() => vi.useRealTimers())

interface Issued {
  readonly seed: string
  readonly facts: readonly string[]
}

/** Whether one history is the beginning of the other, or the same. */
const beginsWith = (facts: readonly string[], start: readonly string[]) =>
  start.every((fact, index) => facts[index] === fact)

/** Returns the expected outcome of a seed at a store, from the facts of both alone. */
function due({ facts }: Store, seed: Issued, age: 'fresh' | 'expired') {
  if (age === 'expired') return 'invalid_seed'
  if (beginsWith(facts, seed.facts)) return 'already_held'
  return beginsWith(seed.facts, facts) ? 'hydrated' : 'forked'
}

class History {
  readonly stores: readonly Store[]
  readonly seeds: Issued[] = []
  readonly offered = { hydrated: 0, already_held: 0, forked: 0, invalid_seed: 0 }
  #value = 0

  constructor(stores: number) {
    this.stores = Array.from({ length: stores }, () => new Store())
  }

  async take(step: Step): Promise<void> {
    const store = this.stores[step.at] ?? new Store()
    if (step.type === 'offer') return this.#offer(store, step)
    if (step.type === 'issue') return this.#issue(store)
    if (step.type === 'restore') await store.restore(step.pick)
    else await store[step.type](++this.#value)
    await store.backUp()
    expect(await store.shown()).toEqual(shownBy(store.facts))
  }

  async #issue(store: Store): Promise<void> {
    const before = (await store.records()).length
    if (store.facts.length > 0) this.seeds.push({ seed: await store.issue(), facts: store.facts })
    expect(await store.records()).toHaveLength(before)
  }

  async #offer(store: Store, { pick, age }: Step & { type: 'offer' }): Promise<void> {
    const seed = this.seeds[pick % this.seeds.length]
    if (!seed) return
    const expected = due(store, seed, age)
    const before = await store.records()
    if (age === 'expired') vi.setSystemTime(Date.now() + SEED_LIFETIME_S * 1_000 + 1_000)
    const answered = await store.offer(seed.seed)
    vi.useRealTimers()
    expect(answered).toEqual(
      expected === 'hydrated' ? { hydrated: true } : { hydrated: false, reason: expected },
    )
    if (expected === 'hydrated') store.facts = seed.facts
    expect(await store.shown()).toEqual(shownBy(store.facts))
    const added = (await store.records()).slice(before.length).map(({ type }) => type)
    if (expected === 'hydrated') expect(added[0]).toBe('case_hydrated')
    else expect(added).toEqual(expected === 'forked' ? added.filter(isRefusal) : [])
    await this.#isRecordedOnce(store, seed, expected)
    this.offered[expected]++
    await store.backUp()
  }

  async #isRecordedOnce(store: Store, seed: Issued, expected: string): Promise<void> {
    if (expected !== 'forked') return
    const recorded = (await store.records()).length
    await store.offer(seed.seed)
    const refusals = (await store.records()).filter(
      ({ type, data }) => isRefusal(type) && JSON.stringify(data).includes('"case_hydrated"'),
    )
    expect(await store.records()).toHaveLength(recorded)
    expect(refusals.length).toBeGreaterThan(0)
  }
}

const isRefusal = (type: string) => type === 'event_refused'

test('[X19] only a seed that descends from what a store holds changes it; forks are refused and recorded', async ({
  annotate,
}) => {
  const offered = { hydrated: 0, already_held: 0, forked: 0, invalid_seed: 0 }
  const histories = timesInTier({ quick: 200, full: 5_000 })
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ stores, steps }) => {
      const history = new History(stores)
      await history.take({ type: 'create', at: 0 })
      await history.take({ type: 'issue', at: 0 })
      for (const step of steps) await history.take(step)
      for (const key of Object.keys(offered) as (keyof typeof offered)[]) {
        offered[key] += history.offered[key]
      }
    }),
    { numRuns: histories },
  )
  for (const count of Object.values(offered)) expect(count).toBeGreaterThan(histories / 10)
  const said = (count: number) => count.toLocaleString('en')
  const { hydrated, already_held: held, forked, invalid_seed: expired } = offered
  await annotate(
    `0 of ${said(histories)} histories changed by a seed that did not descend: ` +
      `${said(hydrated)} seeds taken, ${said(held)} held already, ` +
      `${said(forked)} forks refused and recorded, ${said(expired)} expired`,
    'promise',
  )
})
