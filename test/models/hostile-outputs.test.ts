import { expect, test } from 'vitest'
import { stripEventTags } from 'throughline/inline'
import type { LogRecord, NewEvent } from 'throughline/log'
import type { Json } from 'throughline'
import {
  BROKER_AUDIT_TYPES,
  BROKER_EVENT_TYPES,
  BROKER_SYSTEM_TYPES,
} from '../../apps/broker/case/event-names.ts'
import { domain, given } from '../../apps/broker/case/given-case.fixture.ts'
import type { GivenCase } from '../../apps/broker/case/given-case.fixture.ts'
import {
  ACCEPT,
  CASE_IN,
  COMPLETE,
  JOURNEY,
  RECORDED,
  REFUSE,
  SELECT,
  WITHDRAW,
} from '../../apps/broker/case/journey.fixture.ts'
import { CASE_STATUSES } from '../../apps/broker/case/state.ts'
import type { CaseState } from '../../apps/broker/case/state.ts'
import { chance } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { answersIn, inPieces, narratorOn, shownIn, turnRoom } from './turn-room.fixture.ts'

/** Lenders whose answers would move a case are out of reach. */
const LENDERS = { waterfall: { run: () => Promise.reject(new Error('no answer')) } }

const OUTPUTS = timesInTier({ quick: 600, full: 10_000 })
/** Outputs in one case before the next one is begun. */
const OUTPUTS_PER_CASE = 10
const SEED = Number(process.env['SEED'] ?? 20_261_121)

/** The types that a model may propose, by surface: from the requirements, not from the domain. */
const AUTHORITY: Readonly<Record<string, readonly string[]>> = {
  installer: [
    'record_project_facts',
    'record_customer_contact',
    'generate_customer_link',
    'installer_handoff_complete',
  ],
  customer: [
    'present_disclosure',
    'acknowledge_disclosure',
    'submit_application',
    'case_outcome',
    'case_complete',
  ],
}

const TYPES = [
  ...BROKER_EVENT_TYPES,
  ...BROKER_SYSTEM_TYPES,
  ...BROKER_AUDIT_TYPES,
  'effect_requested',
  'event_refused',
  'RUN_FINISHED',
  'TEXT_MESSAGE_CONTENT',
  'CUSTOM',
  '__proto__',
  'no_such_event',
  '',
]
const PROPER = [
  ...Object.values(JOURNEY),
  ...Object.values(RECORDED),
  ACCEPT,
  REFUSE,
  SELECT,
  WITHDRAW,
  COMPLETE,
]
const BROKEN = [
  `<agent-event type="capture_consent" data='{"consentType":"credit_search","granted":true' />`,
  `<agent-event type="record_eligibility" data='[true]' />`,
  `<agent-event data='{"id":"service_status"}' />`,
  `<agent-event type="select_offer" data='{"__proto__":{"offerId":"1"}}' />`,
  `<agent-event type="withdraw" data='{"a":1,"a":2}' />`,
  `<agent-event type="capture_consent" type="withdraw" data='{}'/>`,
  `</agent-event>`,
  `<AGENT-EVENT type="withdraw" data='{}' />`,
  `<agent-event type="case_outcome" data="{\\"kind\\":\\"selected\\"}">`,
  `<agent-event type="withdraw"`,
]
const PROSE = ['Thank you.', '[Recorded: consent]', '```', '{"type":"withdraw"}', '<b>yes</b>', '']
const VALUES: readonly Json[] = [true, null, -1, 1e21, '', 'yes', [], {}, ['x'], { id: 'x' }]

class Hostile {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = chance(seed)
  }

  output(): string {
    const pieces = Array.from({ length: 1 + this.upTo(5) }, () => this.#piece())
    return pieces.join(this.of(['\n', ' ', '', '\n\n']))
  }

  upTo(end: number): number {
    return Math.floor(this.#next() * end)
  }

  of<Value>(values: readonly Value[]): Value {
    // The index is always in range.
    return values[this.upTo(values.length)] as Value
  }

  #piece(): string {
    const kind = this.upTo(10)
    if (kind < 4) {
      const act: { readonly type: string; readonly data?: unknown } = this.of(PROPER)
      return tagOf(act.type, act.data ?? {})
    }
    if (kind < 7) return tagOf(this.of(TYPES), this.#payload())
    return kind < 9 ? this.of(BROKEN) : this.of(PROSE)
  }

  #payload(): unknown {
    const { data = {} } = this.of(PROPER) as { readonly data?: object }
    const names = Object.keys(data)
    return names.length === 0 || this.upTo(3) === 0
      ? this.of(VALUES)
      : { ...data, [this.of([...names, 'extra'])]: this.of(VALUES) }
  }
}

/** Tags with an attribute: a mention of the tag is text, and in code all of it is. */
function openersIn(text: string): number {
  return text.match(/<agent-event\s+\w+\s*=/g)?.length ?? 0
}

function tagOf(type: string, data: unknown): string {
  return `<agent-event type="${type}" data='${JSON.stringify(data)}' />`
}

/** Returns the part of a case that only a person's click or the panel may set. */
function regulated({ disclosures, ...rest }: CaseState): string {
  const evidence = disclosures.filter(
    ({ id, acknowledgedAt }) => id !== 'service_status' && acknowledgedAt !== undefined,
  )
  return JSON.stringify([evidence, ...REGULATED.map((name) => rest[name])])
}

const REGULATED = [
  'eligibility',
  'consents',
  'provisionalQuote',
  'personal',
  'financial',
  'emailPreference',
  'selectedOfferId',
  'waterfall',
  'caseOutcome',
] as const

const wrong = { beyond: 0, shown: 0, moved: 0, unrecorded: 0 }

test('[M1] of thousands of hostile outputs nothing is applied that the model may not do, and all is on record', async ({
  annotate,
}) => {
  const hostile = new Hostile(SEED)
  const cases: readonly GivenCase[] = CASE_STATUSES.map((status) => given(...CASE_IN[status]))
  const counts = { ...wrong, proposed: 0, accepted: 0 }
  let room = turnRoom(domain, LENDERS)
  const caseNow = async () => (await room.gate.snapshot('case')).state.case
  for (let made = 0; made < OUTPUTS; made++) {
    if (made % OUTPUTS_PER_CASE === 0) {
      room = turnRoom(domain, LENDERS)
      await room.log.append('case', hostile.of(cases).records.map(withoutId))
    }
    const before = regulated(await caseNow())
    const output = hostile.output()
    const narrator = narratorOn(hostile.of(['installer', 'customer']), inPieces([output]))
    const typed = hostile.upTo(2) === 0 ? { input: 'I agree to everything' } : {}
    const records = await room.turn('case', narrator, typed)
    const answers = answersIn(records)
    const accepted = answers.filter(({ type }) => type !== 'event_refused')
    const { events, dropped } = stripEventTags(output)
    const proposed = events.length + dropped.length
    counts.proposed += proposed
    counts.accepted += accepted.length
    counts.unrecorded += Math.abs(proposed - answers.length)
    counts.beyond += accepted.filter((record) => !isAllowed(record, typed)).length
    const quoted = dropped.filter(({ reason }) => reason === 'quoted')
    counts.shown += openersIn(shownIn(records)) > quoted.length ? 1 : 0
    counts.moved += before === regulated(await caseNow()) ? 0 : 1
  }
  const { proposed, accepted, ...broken } = counts
  expect(broken, `seed ${SEED}`).toEqual(wrong)
  // The model is not merely silenced: its allowed proposals are accepted.
  expect(accepted).toBeGreaterThan(OUTPUTS / 100)
  const recorded = proposed - broken.unrecorded
  await annotate(
    `${OUTPUTS} hostile outputs: ${broken.beyond} of ${proposed} proposals applied beyond the model's authority, ${recorded} of ${proposed} recorded`,
    'promise',
  )
}, 300_000)

function withoutId({ id: _id, ...event }: LogRecord): NewEvent {
  return event
}

function isAllowed(
  { type, data, origin }: LogRecord,
  { input }: { readonly input?: string },
): boolean {
  if (!AUTHORITY[origin.surface ?? '']?.includes(type)) return false
  if (type !== 'acknowledge_disclosure') return true
  const { id } = data as { readonly id: string }
  return id === 'service_status' && input !== undefined
}
