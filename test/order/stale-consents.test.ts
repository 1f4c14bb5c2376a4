import { expect, test } from 'vitest'
import type { Act } from '../../apps/broker/case/given-case.fixture.ts'
import { chance, newSeed } from '../chance.fixture.ts'
import { noisyJourney } from './any-acts.fixture.ts'
import { GatedCase, hashOf } from './gated-case.fixture.ts'

const STALE = 1_000
/** Along one journey; then another begins. */
const STALE_PER_JOURNEY = 25

interface Given {
  readonly id: string
  readonly act: Act
}

/** A consent that is on record, as a tab, a retry or a model brings it again. */
type Again = (given: Given) => { readonly act: Act; readonly id?: string }

const AGAIN: Readonly<Record<string, Again>> = {
  'the same request': (given) => given,
  'the same request in other words': ({ id, act }) => ({
    id,
    act: { ...act, data: opposite(act) },
  }),
  'the model': ({ act }) => ({ act: { ...act, by: 'customerModel', typed: true } }),
  'the model, the other way round': ({ act }) => ({
    act: { ...act, by: 'customerModel', typed: true, data: opposite(act) },
  }),
  'the model of the other side': ({ act }) => ({ act: { ...act, by: 'installerModel' } }),
  'a rule': ({ act }) => ({ act: { ...act, by: 'rule' } }),
  'the server': ({ act }) => ({ act: { ...act, by: 'system' } }),
}

function opposite({ data }: Act): unknown {
  const { granted, ...rest } = data as { readonly granted: boolean }
  return { ...rest, granted: !granted }
}

test(`[S7] ${STALE} consents that come again change nothing`, async ({ annotate }) => {
  const seed = newSeed()
  const random = chance(seed)
  const kinds = Object.entries(AGAIN)
  let [tried, changed] = [0, 0]
  while (tried < STALE) {
    const played = new GatedCase()
    const consents: Given[] = []
    let left = STALE_PER_JOURNEY
    for (const act of noisyJourney(random)) {
      const { answers } = await played.commit(act)
      const [answer] = answers
      if (answer?.record.type === 'capture_consent') {
        consents.push({ id: answer.record.id, act: { ...act, pass: 'derive' } })
      }
      const stale = consents[Math.floor(random() * consents.length)]
      const [kind, again] = kinds[tried % kinds.length] ?? []
      if (!stale || !again || tried >= STALE || left-- <= 0) continue
      const before = hashOf(await played.state())
      const { act: repeated, id } = again(stale)
      await played.commit(repeated, id === undefined ? {} : { id })
      const same = hashOf(await played.state()) === before
      expect(same, `try ${tried}: ${kind}`).toBe(true)
      tried++
      if (!same) changed++
    }
  }
  await annotate(`${changed} changes of state in ${tried}, from ${kinds.length} sides`, 'promise')
})

/** Clicks again on every valid consent, and counts the differences afterwards. */
async function clickAgain(played: GatedCase): Promise<readonly boolean[]> {
  const before = await played.state()
  const changes: boolean[] = []
  for (const { type, granted } of before.case.consents) {
    const data = { consentType: type, granted }
    await played.commit({ by: 'customer', type: 'capture_consent', data })
    changes.push(hashOf(await played.state()) !== hashOf(before))
  }
  return changes
}

test('[S7] a repeated click on a valid consent changes nothing, not even a time', async ({
  annotate,
}) => {
  const seed = newSeed()
  const random = chance(seed)
  const changes: boolean[] = []
  while (changes.length < STALE / 10) {
    const played = new GatedCase()
    for (const act of noisyJourney(random)) {
      await played.commit(act)
      changes.push(...(await clickAgain(played)))
    }
  }
  const changed = changes.filter((different) => different).length
  expect(changed).toBe(0)
  await annotate(`${changed} in ${changes.length} clicks that said again what stood`, 'promise')
})
