import { expect, test } from 'vitest'
import type { BrokerState } from '../case/index.ts'
import { customer } from './asked.fixture.ts'
import { AT_GATE, INELIGIBLE, WITHDRAWN, prime, stateWith } from './case-states.fixture.ts'
import { customerInstructions } from './prompts.fixture.ts'

const AT = '2026-03-02T10:00:00.000Z'
const DECLINED = AT_GATE.closed
const ACCEPTED = stateWith({
  ...AT_GATE.complete.case,
  status: 'complete',
  selectedOfferId: prime.id,
  caseOutcome: { kind: 'selected', recordedAt: AT },
})

test.each<readonly [BrokerState, string, RegExp]>([
  [DECLINED, 'why did nobody lend to me?', /^Lenders' reasons are shown neither.*Experian/],
  [DECLINED, 'Why was I declined?', /^Lenders' reasons.*your income.*ask each lender/],
  [DECLINED, 'was I declined because of my credit score? why', /ask each lender.*Experian/],
  [DECLINED, 'what is my credit score?', /^We do not see your credit score.*Experian/],
  [AT_GATE.quote, 'what is my credit score?', /^We do not see your credit score/],
  [DECLINED, 'can I get support?', /Speak to a person, under Help/],
  [DECLINED, 'what happens next?', /need do nothing more here.*your installer.*credit file, free/],
  [DECLINED, 'what can I do now', /your installer about another way to pay/],
  [DECLINED, 'can I try another bank?', /^I cannot say what another lender would decide/],
  [
    DECLINED,
    'I am in debt',
    /^Thank you for telling me\. .*StepChange \(0800 138 1111\), MoneyHelper and Citizens/,
  ],
  [DECLINED, 'does this hurt my credit score?', /does not change your score/],
  [DECLINED, 'do I owe you anything?', /owe us nothing/],
  [DECLINED, 'can I speak to someone?', /^Speak to a person, under Help/],
  [DECLINED, 'can my installer see why?', /and not why\. Lenders' reasons are shown neither/],
  [INELIGIBLE, 'why can I not apply?', /The lenders require that you own your home/],
  [INELIGIBLE, 'what now?', /about another way to pay/],
  [INELIGIBLE, 'can I start again?', /If one of your answers was wrong, ask your installer/],
  [INELIGIBLE, 'is it on my credit file?', /^No credit search was made/],
  [WITHDRAWN, 'can I apply again?', /ask your installer for a new link/],
  [ACCEPTED, 'what happens next?', /makes a hard search, then sends you its agreement/],
  [ACCEPTED, 'do I owe anything?', /nothing before you sign/],
])('an ended case: "$1" is answered', async ({ case: held }, said, answer) => {
  const { display, events } = await customer({ case: held, scenario: 'auto' }, said)
  expect(display).toMatch(answer)
  expect(display).not.toMatch(/cannot answer|card on your screen|INCOME_BELOW|no answer in time|!/)
  expect(events).toEqual([])
})

test('the prompt of an ended case says what to answer, and no reason of a lender', () => {
  const prompt = customerInstructions(DECLINED)
  expect(prompt).toMatch(/^CURRENT_GATE: closed$/m)
  expect(prompt).toMatch(/Ended \(CURRENT_GATE is closed\): .*\n?.*Answer/)
  expect(prompt).not.toMatch(/INCOME_BELOW|no answer in time/)
})
