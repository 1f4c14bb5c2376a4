import {
  BROKER_AUDIT_TYPES,
  BROKER_EVENT_TYPES,
  BROKER_SYSTEM_TYPES,
} from '../../apps/broker/case/event-names.ts'
import { EVERYBODY } from '../../apps/broker/case/given-case.fixture.ts'
import type { Act } from '../../apps/broker/case/given-case.fixture.ts'
import {
  ACCEPT,
  COMPLETE,
  INELIGIBLE,
  JOURNEY,
  RECORDED,
  REFUSE,
  SELECT,
  WITHDRAW,
} from '../../apps/broker/case/journey.fixture.ts'

type Random = () => number

const REFUSED_SEARCH: Act = {
  ...JOURNEY.grant,
  data: { consentType: 'credit_search', granted: false },
}
const MARKETING: Act = { ...JOURNEY.grant, data: { consentType: 'marketing', granted: true } }

const STEPS: readonly Act[] = Object.values(JOURNEY)
const KNOWN: readonly Act[] = [
  ...STEPS,
  ...Object.values(RECORDED),
  ACCEPT,
  REFUSE,
  SELECT,
  COMPLETE,
  INELIGIBLE,
  REFUSED_SEARCH,
  MARKETING,
]
// A withdrawal ends a journey: with too many of them, little else would be tested.
const SHARE_OF_WITHDRAWALS = 0.01

const TYPES: readonly string[] = [
  ...BROKER_EVENT_TYPES,
  ...BROKER_SYSTEM_TYPES,
  ...BROKER_AUDIT_TYPES,
]
const PAYLOADS: readonly unknown[] = [
  ...KNOWN.map(({ data = {} }) => data),
  null,
  1e21,
  'x'.repeat(5_000),
  [{}],
  { id: 'service_status', granted: 'yes' },
  { nothing: 1 },
  { termMonths: 0.1 },
]

function one<Item>(random: Random, [first, ...rest]: readonly [Item, ...Item[]]): Item {
  return rest[Math.floor(random() * (rest.length + 1)) - 1] ?? first
}

const nonEmpty = <Item>(items: readonly Item[]) => items as readonly [Item, ...Item[]]

/** A proposal, allowed or not, with a payload that fits or not. */
export function wildAct(random: Random): Act {
  return {
    by: one(random, nonEmpty(EVERYBODY)),
    type: random() < 0.9 ? one(random, nonEmpty(TYPES)) : anyText(random),
    data: one(random, nonEmpty(PAYLOADS)),
    typed: random() < 0.5,
    pass: one(random, ['derive', 'submit']),
  }
}

function anyText(random: Random): string {
  const codes = Array.from({ length: 1 + random() * 40 }, () => Math.floor(random() * 0x3000))
  return String.fromCodePoint(...codes)
}

/** Something that could happen in a case, at the right time or not. */
export function knownAct(random: Random): Act {
  const act = random() < SHARE_OF_WITHDRAWALS ? WITHDRAW : one(random, nonEmpty(KNOWN))
  return { ...act, pass: one(random, ['derive', 'submit']) }
}

export function anyAct(random: Random): Act {
  return random() < 0.75 ? knownAct(random) : wildAct(random)
}

/** A whole journey in which steps are left out, done twice, and mixed with anything else. */
export function noisyJourney(random: Random): readonly Act[] {
  const ends = one(random, [
    [RECORDED.approved, SELECT, COMPLETE],
    [RECORDED.counter, ACCEPT, COMPLETE],
    [RECORDED.counter, REFUSE, RECORDED.exhausted],
    [RECORDED.unsettled, RECORDED.approved],
  ] satisfies [Act[], ...Act[][]])
  return [...STEPS, ...ends].flatMap((step) => {
    const kept: Act[] =
      random() < 0.04 ? [] : [{ ...step, pass: one(random, ['derive', 'submit']) }]
    if (random() < 0.3) kept.push(anyAct(random))
    return random() < 0.1 ? [...kept, ...kept] : kept
  })
}
