import { ModelError } from '../../../src/models/index.ts'
import { callModel } from 'throughline/server/extend'
import { decide } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import { expect, test } from 'vitest'
import { CASE_GATES } from '../case/index.ts'
import type { BrokerState } from '../case/index.ts'
import { ask, customer, installer, withHelp } from './asked.fixture.ts'
import { AT_GATE, INELIGIBLE, WITHDRAWN, WITHDRAWN_LATE, stateWith } from './case-states.fixture.ts'
import { MISBEHAVIOURS, customerNotes, scriptedNarrator } from './index.ts'
import type { Misbehaviour } from './index.ts'
import { NOW, customerInstructions, domain } from './prompts.fixture.ts'
import { BANNED_FILLERS } from './shared-rules.ts'

const everyState = [...Object.values(AT_GATE), INELIGIBLE, WITHDRAWN, WITHDRAWN_LATE]

function bareNotes(state: BrokerState): string {
  const news = { state, accepted: [], refused: [], first: false, said: '', bare: true }
  return customerNotes(news).join('\n\n')
}

function accepted(
  state: BrokerState,
  surface: string,
  events: readonly { readonly type: string; readonly data: unknown }[],
): readonly string[] {
  const origin = { source: 'model', surface, depth: 0 } as const
  return events
    .filter(({ type, data }) => {
      const proposal = { id: '00000000-0000-4000-8000-000000000000', type, data, origin }
      return 'accepted' in decide(domain, state, { proposal, now: NOW, typed: true })
    })
    .map(({ type }) => type)
}

test('a product that is not financed is answered with those that are', async () => {
  const contact = { firstName: 'Sarah', email: 'sarah@example.com', mobile: '+447700900123' }
  const state = stateWith({ contact, project: { projectValue: 17_500, depositAmount: 0 } })
  const { display, events } = await installer(state, 'a heat pump')
  expect(display).toMatch(
    /^I left out “a heat pump”\. Product\? There are panels only; panels with battery; /,
  )
  expect(events).toEqual([])
  expect((await installer(state, 'panels with battery then')).events[0]).toMatchObject({
    data: { productSpec: 'panels_battery' },
  })
})

test('what is missing is asked for in a word or two', async () => {
  const contact = { firstName: 'Sarah', email: 'sarah@example.com' }
  const project = { projectValue: 17_500, depositAmount: 0, productSpec: 'panels_only' } as const
  const state = stateWith({ contact, project })
  expect(await installer(state, 'that is all')).toMatchObject({ display: 'Mobile?', events: [] })
  const answered = await installer(state, '07700 900 123')
  expect(answered.events.map(({ type }) => type)).toEqual([
    'record_customer_contact',
    'generate_customer_link',
    'installer_handoff_complete',
  ])
  const first = await installer(stateWith({}), '[The installer has opened a new case.]')
  expect(first.display).toBe('Mobile, first name, email, project value, deposit and product?')
})

test('personal finance is declined on the tablet and not recorded', async () => {
  const { display, events } = await installer(AT_GATE.handoff, 'she earns 42,000 a year')
  expect(display).toContain("belongs on the customer's own phone")
  expect(display).not.toContain('42')
  expect(events).toEqual([])
})

test('after the handoff the link can be made again, and later the tablet is silent', async () => {
  const sent = AT_GATE['disclosure:service_status']
  const again = await installer(sent, 'please send the link again')
  expect(again.events.map(({ type }) => type)).toEqual(['generate_customer_link'])
  const late = await installer(AT_GATE.quote, 'make that 18 thousand')
  expect(late).toMatchObject({ events: [] })
})

test.each(['send it to her', 'has it been sent?', 'text Sarah the link again', 'email it please'])(
  'nothing is sent from here, so "%s" is never answered with a sending',
  async (said) => {
    const complete = AT_GATE['disclosure:service_status']
    for (const installerHandoffComplete of [false, true]) {
      const state = { ...complete, case: { ...complete.case, installerHandoffComplete } }
      const { display } = await installer(state, said)
      expect(display).toMatch(/with the facts on this page, to show or copy: nothing is sent/)
      expect(display.replace('nothing is sent', '')).not.toMatch(/\bse(?:nt|nd\w*)\b/i)
    }
  },
)

const SARAH = stateWith({ contact: { firstName: 'Sarah' } })

test.each([
  'Could you check whether her roof is strong enough, and book me a scaffolder for Tuesday?',
  'is the deposit refundable for Raj?',
  'can you do this for Wednesday?',
])(
  'a name that is known is not replaced by what stands in "%s", which is not answered',
  async (said) => {
    const { display, events } = await installer(SARAH, said)
    expect(display).toMatch(/^I cannot help with that here/)
    expect(events.filter(({ type }) => type === 'record_customer_contact')).toEqual([])
  },
)

test.each([
  ["no, it's for Raj", 'Raj'],
  ['the customer is Raj', 'Raj'],
])('a name that is known gives way to "%s"', async (said, firstName) => {
  const { events } = await installer(SARAH, said)
  expect(events[0]).toMatchObject({ type: 'record_customer_contact', data: { firstName } })
})

test('of a case that has ended the tablet says that it has', async () => {
  expect((await installer(WITHDRAWN, 'did she accept?')).display).toMatch(/^This case has ended\./)
})

test('[B037] each disclosure is put on the screen at its own gate, once', async () => {
  const shown = async (state: BrokerState) => (await customer(state, '[Continue.]')).events
  for (const gate of CASE_GATES) {
    const [kind, id] = gate.split(':')
    const wanted = kind === 'disclosure' ? [{ type: 'present_disclosure', data: { id } }] : []
    const events = await shown(AT_GATE[gate])
    expect(events.filter(({ type }) => type === 'present_disclosure')).toEqual(wanted)
    expect(accepted(AT_GATE[gate], 'customer', events)).toEqual(events.map(({ type }) => type))
  }
  const at = AT_GATE['disclosure:service_status']
  const presented = { id: 'service_status', presentedAt: '2026-03-02T10:00:00.000Z' }
  expect(await shown({ ...at, case: { ...at.case, disclosures: [presented] } })).toEqual([])
})

test('[B037] an opened link is greeted, a link opened again is not started over', async () => {
  const opened = '[The customer has opened their link.]'
  const first = await customer(AT_GATE['disclosure:service_status'], opened)
  expect(first.display).toMatch(/^Hello Sarah\. .*Sunny Roofs/)
  const again = await customer(AT_GATE.details, opened)
  expect(again.display).toMatch(/^Welcome back\. The form/)
})

test('a typed "I understand" acknowledges the service notice and nothing else', async () => {
  const at = AT_GATE['disclosure:service_status']
  const presented = [{ id: 'service_status', presentedAt: '2026-03-02T10:00:00.000Z' }]
  const shown = { ...at, case: { ...at.case, disclosures: presented } }
  const tag = { type: 'acknowledge_disclosure', data: { id: 'service_status' } }
  expect((await customer(shown, 'I understand')).events).toEqual([tag])
  expect((await customer(shown, 'I do not understand')).events).toEqual([])
  expect((await customer(at, 'I understand')).events).not.toContainEqual(tag)
  for (const gate of CASE_GATES.filter((name) => name !== 'disclosure:service_status')) {
    const { events } = await customer(AT_GATE[gate], 'I understand and I agree to everything')
    expect(events.map(({ type }) => type)).not.toContain('acknowledge_disclosure')
  }
})

test('an approval, a counter-offer and a decline are told with the figures of the note', async () => {
  const told = async (state: BrokerState) => (await customer(state, bareNotes(state))).display
  expect(await told(AT_GATE.accept)).toContain(
    'Harbour Bank has approved the loan: 10 years at 9.15% APR, £197.71 a month, £23,725.20 in total.',
  )
  const counter = await told(AT_GATE.counter)
  expect(counter).toMatch(
    /^Harbour Bank has declined\. Meridian Bank offers different terms: 12 years /,
  )
  expect(counter).toContain('You asked for 10 years at 9.15% APR')
  expect(await told(AT_GATE.closed)).toMatch(
    /^Harbour Bank has declined\. Meridian Bank gave no answer\. No lender on our panel/,
  )
})

test('an accepted offer completes the case, once', async () => {
  const { display, events } = await customer(
    AT_GATE.complete,
    '[The customer accepted the offer of Harbour Bank.]',
  )
  expect(display).toMatch(/^Your acceptance is recorded\./)
  expect(events).toEqual([{ type: 'case_complete', data: {} }])
  expect(accepted(AT_GATE.complete, 'customer', events)).toEqual(['case_complete'])
})

test('ineligible names the criteria; withdrawn claims nothing was sent only while that is true', async () => {
  const told = async (state: BrokerState) => (await customer(state, '[Continue.]')).display
  expect(await told(INELIGIBLE)).toContain('that you own your home and that you are employed')
  expect(await told(WITHDRAWN)).toContain('No lender has received it')
  expect(await told(WITHDRAWN_LATE)).not.toContain('No lender has received it')
  const { display } = await customer(WITHDRAWN_LATE, bareNotes(WITHDRAWN_LATE))
  expect(display).toMatch(/^Your application has stopped\. Lenders/)
})

const PIECES = [
  'a.',
  'a ',
  'one ',
  '1 ',
  'email a ',
  'a dot ',
  'a at a.',
  'twenty ',
  '£1,',
  'mr a ',
]
const MORE_PIECES = [
  '0',
  '-',
  'a-',
  'van de ',
  'has £1 ',
  'deposit a ',
  'no battery or ',
  '1 a ',
  '@',
  "we're A ",
  'this is a from ',
]

test.each([...PIECES, ...MORE_PIECES])('a message full of "%s" is read quickly', async (piece) => {
  const started = performance.now()
  await installer(AT_GATE.handoff, piece.repeat(40_000 / piece.length))
  expect(performance.now() - started).toBeLessThan(1_000)
})

const NOTES = [
  '[The customer has opened their link.]',
  '[Continue.]',
  '[The customer pressed the button that confirms service_status.]',
  '[The customer answered the eligibility questions and meets all four.]',
  '[The customer chose a term of 7 years. Indicative APR 9.15%, £251.71 a month, total £21,143.64.]',
  '[The customer answered the support card and marked 2 of its points.]',
  '[The customer refused the credit search.]',
  '[Not recorded: capture_consent (locked). The case is as it was.]',
  'should I? what is a soft search? who are you? are you a lender? can I stop? how long?',
  'my data? is this a quote? what fees? I want to complain, I lost my job, yes, why',
]

test('[B043] no reply states a figure that its prompt does not hold', async () => {
  for (const state of everyState) {
    for (const said of [...NOTES, bareNotes(state)]) {
      const system = customerInstructions(state)
      const known = figuresIn(`${system} ${withHelp(said, 'customer', state)}`)
      const { display } = await customer(state, said)
      expect(figuresIn(display).filter((figure) => !known.includes(figure))).toEqual([])
    }
  }
})

test('every reply is plain: no exclamation mark, no filler, no tag in the prose', async () => {
  const filler = new RegExp(`!|\\b(?:${BANNED_FILLERS.join('|')})\\b|<`, 'i')
  for (const state of everyState) {
    for (const said of [...NOTES, bareNotes(state)]) {
      expect((await customer(state, said)).display).not.toMatch(filler)
      expect((await installer(state, said)).display).not.toMatch(filler)
    }
  }
})

function figuresIn(text: string): readonly number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((figure) =>
    Number(figure.replaceAll(',', '')),
  )
}

const system = customerInstructions(AT_GATE['disclosure:service_status'])
const misbehaving = (misbehave: Misbehaviour) => ask({ system, said: '[Continue.]', misbehave })

test('[B042] misbehaving: silent says nothing at all', async () => {
  expect(await misbehaving('silent')).toBe('')
})

test('[B041] misbehaving: events only', async () => {
  const { display, events } = stripEventTags(await misbehaving('events_only'))
  expect(display).toBe('')
  expect(events).toEqual([{ type: 'present_disclosure', data: { id: 'service_status' } }])
})

test('[B040] misbehaving: restart greets and presents service_status at any gate', async () => {
  const late = customerInstructions(AT_GATE.submit)
  const text = await ask({ system: late, said: '[Continue.]', misbehave: 'restart' })
  const { display, events } = stripEventTags(text)
  expect(display).toMatch(/^Hello Sarah\./)
  expect(events).toEqual([{ type: 'present_disclosure', data: { id: 'service_status' } }])
  expect(accepted(AT_GATE.submit, 'customer', events)).toEqual([])
})

test('[M1] misbehaving: nothing that is forged is accepted at any gate of an open case', async () => {
  const { events } = stripEventTags(await misbehaving('forge'))
  expect(events.length).toBeGreaterThan(15)
  for (const gate of CASE_GATES.filter((name) => name !== 'complete')) {
    expect(accepted(AT_GATE[gate], 'customer', events)).toEqual([])
    expect(accepted(AT_GATE[gate], 'installer', events)).toEqual([])
  }
})

test('misbehaving: malformed tags give no event and are not shown', async () => {
  const { display, events } = stripEventTags(await misbehaving('malformed'))
  expect(events).toEqual([])
  expect(display).not.toContain('agent-event')
})

test('misbehaving: fail and cut end in an error, and a hanging model can be stopped', async () => {
  await expect(misbehaving('fail')).rejects.toBeInstanceOf(ModelError)
  await expect(misbehaving('cut')).rejects.toBeInstanceOf(ModelError)
  const stop = AbortSignal.timeout(20)
  const model = scriptedNarrator({ misbehave: 'hang' })
  const call = { system, messages: [{ role: 'user', text: 'hello' }], signal: stop } as const
  await expect(drained(callModel(model, call))).rejects.toBeInstanceOf(ModelError)
  expect(MISBEHAVIOURS).toHaveLength(8)
})

async function drained(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const part of parts) expect(part).toBeUndefined()
}
