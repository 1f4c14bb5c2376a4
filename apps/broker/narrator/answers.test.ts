import { expect, test } from 'vitest'
import { WORDS as DETAILS } from '../customer/details/words.ts'
import { ANSWER_WORDS } from '../customer/answer-words.ts'
import { CONSENT_WORDS } from '../customer/cards/consent-words.ts'
import { DISCLOSURE_WORDS } from '../customer/cards/disclosure-words.ts'
import { SUMMARY_WORDS } from '../customer/cards/summary-words.ts'
import { SHELL_WORDS } from '../customer/shell-words.ts'
import { CASE_GATES, caseView } from '../case/index.ts'
import type { CaseGate } from '../case/index.ts'
import { customer } from './asked.fixture.ts'
import { AT_GATE, INELIGIBLE } from './case-states.fixture.ts'
import { ON_PAGE, ROWS } from './page-names.ts'
import { PARTS_MAX } from './questions.ts'

const at = (gate: CaseGate, said: string) => customer(AT_GATE[gate], said)

test.each([
  ['what is a soft search?', /only you can see/],
  ['Who are you', /AI assistant/],
  ['are you a lender?', /credit broker/],
  ['can I stop?', /Save and come back.* What is recorded is kept, unless you choose Withdraw/],
  ['can I do this later?', /what is recorded is kept, and your link opens it again/],
  ['how long does this take', /few minutes/],
  ['how long do I repay for?', /card with the quote/],
  ['what happens to my data', /They do not get this chat/],
  ['is this a quote?', /an estimate and not an offer/],
  ['should I take it?', /cannot advise you/],
  ['will I save money?', /nobody can guarantee/],
  ['yes I consent', /Only the buttons/],
  ['can I change my mind', /Save and come back/],
  ['how do I withdraw my consent?', /by withdrawing the application, under Help, or by writing to/],
  ['can I speak to someone?', /^Speak to a person, under Help, shows the number/],
  ['Is there a human being I can call?', /^Speak to a person/],
  ['which lenders do you ask?', /names the lenders, in the order/],
  ['when will I get the email?', /sends no mail and no text message/],
  ['what are your fees?', /^You pay us no fee\./],
  ['does my installer get commission?', /I do not know\. Choose "Speak to a person"/],
  ['who sees my income?', /^We at the broker .*Your installer does not see it/],
  ['do you share my details with anyone?', /A lender gets it only once it is asked/],
  ['does the installer see my answers?', /how far your application is/],
  ['who can read this chat?', /Neither your installer nor a lender/],
  ['do lenders know about my health?', /how many points you marked, and not which/],
  ['who will see this?', /^We at the broker/],
  ['can I talk to my installer?', /does not reach your installer/],
  ['why did Harbour Bank say no?', /^Lenders' reasons are shown neither/],
  ['help', /^Speak to a person/],
  ['how do you make money?', /A lender may pay us commission/],
  ['how much will it cost me?', /on the card with the quote, .*: an estimate and not an offer/],
  ['will I be approved?', /A lender decides that/],
  ['can you send me the quote by email', /sends no mail and no text message/],
  ['what happens next?', /The card on your screen is the next step/],
  ['I changed my mind, grant it', /Only the buttons/],
  ['why was I turned down?', /shown neither to your installer nor to you/],
  ['what is the capital of France?', /^I cannot answer that here\. Choose "Speak to a person"/],
  ['Tell me, can my cat sing?', /^I cannot answer that here\. Choose "Speak to a person"/],
])('answers "%s", stays at its gate and does not send the customer on', async (said, answer) => {
  const { display, events } = await at('quote', said)
  expect(display).toMatch(answer)
  expect(display.includes('The card shows an indicative quote.')).toBe(
    /Only the buttons/.test(display),
  )
  expect(events).toEqual([])
})

test.each(["I'm not sure about this", 'I need time to think'])(
  '"%s" is answered with time and a person, and with no step to take',
  async (said) => {
    const { display } = await at('disclosure:service_status', said)
    expect(display).toMatch(
      /Nothing is agreed until you press.*Save and come back.*Speak to a person/,
    )
    expect(display).not.toContain('I understand')
  },
)

test.each<readonly [CaseGate, string]>([
  ['counter', 'Who is the lender?'],
  ['accept', 'which bank is it?'],
  ['complete', 'who lends the money?'],
])('at %s, "%s" is answered with the lender of the offer', async (gate, said) => {
  const state = AT_GATE[gate]
  const { display } = await customer(state, said)
  const last = state.case.waterfall?.steps.at(-1)
  expect(display).toContain(`${last?.lender} makes this offer`)
})

const COMMISSION = /A lender may pay us commission/
const INSTALLER_WHY =
  /such as that no lender made an offer, and not why\. Lenders' reasons are shown/
const UNKNOWN_SECOND = /I cannot answer your second question here\. Choose "Speak to a person"/

test.each([
  ['How much commission do you get? Can my installer see why?', [COMMISSION, INSTALLER_WHY]],
  ['Can my installer see why? How much commission do you get?', [INSTALLER_WHY, COMMISSION]],
  ['how much commission do you get and can my installer see why', [COMMISSION, INSTALLER_WHY]],
  ['What are the fees, how long does it take?', [/no fee/, /few minutes/]],
  ['what are the fees\nwhat is the capital of France', [/no fee/, UNKNOWN_SECOND]],
  [
    'What are the fees? What is the capital of France? Are you a robot?',
    [/no fee/, /AI/, UNKNOWN_SECOND],
  ],
  ['Is it raining? Will it snow?', [/cannot answer your first and second questions here/]],
  ['I lost my job. What is the capital of France?', [/support card/, /cannot answer that here/]],
  ['I agree. What are the fees?', [/no fee/, /Only the buttons/]],
])('answers each question of "%s", in order, in one message', async (said, answers) => {
  const { display } = await at('quote', said)
  const places = answers.map((answer) => display.search(answer))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((left, right) => left - right))
})

test('one question that is asked in two sentences is one, and is answered once', async () => {
  const { display } = await at('counter', 'I was declined by the first. Why?')
  expect(display).toMatch(/^Lenders' reasons are shown neither/)
  expect(display).not.toContain('cannot answer')
  const twice = await at('quote', 'What are the fees? Is there a fee?')
  expect(twice.display.match(/no fee/g)).toHaveLength(1)
})

test('more questions than are answered at once are asked for again', async () => {
  const many = await at('quote', 'What are the fees? '.repeat(PARTS_MAX))
  expect(many.display).not.toContain('ask the rest again')
  const more = await at('quote', 'What are the fees? '.repeat(PARTS_MAX + 1))
  expect(more.display).toContain('ask the rest again')
})

test.each(['my installer told me to expect this', 'thanks', 'I know my installer'])(
  '"%s" asks nothing, so nothing is answered',
  async (said) => {
    const { display } = await at('quote', said)
    expect(display).toMatch(/^Please choose how long/)
  },
)

test.each<readonly [CaseGate, RegExp]>([
  ['vulnerability', /is optional, and nothing depends on it/],
  ['details', /cannot go on without what the card on your screen asks, and you need not go on/],
  ['disclosure:credit_search_consent', /no search is made and nothing is sent to a lender/],
  ['counter', /You can stop at any time/],
])('at %s, "do I have to answer?" gets the answer of that gate', async (gate, answer) => {
  expect((await at(gate, 'do I have to answer?')).display).toMatch(answer)
})

test.each<readonly [CaseGate, RegExp]>([
  ['disclosure:credit_search_consent', /no search is made and nothing is sent to a lender/],
  ['counter', /Then the next lender on the panel is asked/],
  ['accept', /Nothing binds you before you sign/],
])('at %s, "what if I refuse?" gets the answer of that gate', async (gate, answer) => {
  expect((await at(gate, 'what if I refuse?')).display).toMatch(answer)
})

test.each(['can I pay it off early?', 'what if I repay it sooner', 'can I overpay?'])(
  '"%s" gets the answer that early repayment is possible and the lender gives the sum',
  async (said) => {
    expect((await at('disclosure:pre_contract_summary', said)).display).toMatch(
      /You may repay a loan early.*lender/,
    )
  },
)

test('the answer to an ineligible customer does not mention lenders’ reasons: no lender was asked', async () => {
  const { display } = await customer(INELIGIBLE, 'can my installer see why?')
  expect(display).toContain(
    'and not why. Read more: [Who sees my details?](/help#who-sees-data) I am sorry, this application',
  )
  expect(display).not.toContain("Lenders' reasons")
})

test.each<readonly [CaseGate, string, RegExp]>([
  [
    'disclosure:service_status',
    "I'd like to change the price",
    /They can still change it until you press I understand\./,
  ],
  ['disclosure:service_status', "I'd like to change my answers", /nothing to change yet/],
  ['eligibility', "I'd like to change the deposit", /stays as it is once you have started/],
  ['quote', 'I want to change my details', /not been asked for that yet/],
  ['quote', 'amend the term please', /card on your screen asks for that/],
  [
    'email',
    'I’d like to change my quote',
    /Press Change beside Your payments, under Your answers so far/,
  ],
  ['email', 'I gave the wrong answer about eligibility', /about eligibility have no Change button/],
  [
    'details',
    'Can I correct the address?',
    /Your details.*Check your answers.*Change.*These are right/,
  ],
  ['vulnerability', 'amend my income please', /Press Change beside Your details/],
  ['vulnerability', 'the email is wrong', /Press Change beside Copy by email/],
  ['consent_refused', "I'd like to change something", /Press Change beside an answer/],
  ['consent_refused', 'I want to change my answer about support', /Press Change beside Support/],
  ['consent_refused', 'can I get a lower rate, I want to change the lender', /no answers of yours/],
  ['disclosure:pre_contract_summary', 'my postcode is wrong', /Your details.* Change something/],
  [
    'counter',
    "I'd like to change my income",
    /answers stay as they are\. Choose "Speak to a person"/,
  ],
])('at %s, "%s" gets the place where to change it', async (gate, said, answer) => {
  const { display, events } = await at(gate, said)
  expect(display).toMatch(answer)
  expect(events.filter(({ type }) => type !== 'present_disclosure')).toEqual([])
})

test.each<readonly [CaseGate, RegExp]>([
  ['vulnerability', /The support card is on your screen/],
  ['submit', /Change beside Support opens the support card again/],
  ['counter', /Speak to a person, under Help, arranges it/],
])('at %s, "I am ill" gets the way to support', async (gate, answer) => {
  expect((await at(gate, 'I am ill')).display).toMatch(answer)
})

test('what the narrator names is on the page, under that name', () => {
  const { menu } = SHELL_WORDS
  expect(ON_PAGE).toMatchObject({
    answersSoFar: menu.answers,
    checkAnswers: DETAILS.toCheck,
    recordDetails: DETAILS.check.save,
    understand: DISCLOSURE_WORDS.service.understand,
    grant: CONSENT_WORDS.grant,
    refuse: CONSENT_WORDS.refuse,
    confirm: SUMMARY_WORDS.confirm,
    amend: SUMMARY_WORDS.change,
    leave: menu.save,
    withdraw: menu.withdraw,
    person: menu.person,
  })
  const { quote, email, details, support } = ANSWER_WORDS
  expect(ROWS).toEqual({ quote, email, details, vulnerability: support })
})

test('the narrator’s answers about data sharing match the views of the roles', () => {
  const { closed } = AT_GATE
  const shown = JSON.stringify(caseView(closed, 'installer'))
  expect(shown).toContain('"status":"declined"')
  expect(shown).toContain(closed.case.contact.mobile)
  expect(shown).not.toMatch(/INCOME_BELOW|no answer in time|42000|canary|eligib|1984|waterfall/)
  expect(JSON.stringify(caseView(closed, 'customer'))).not.toMatch(/INCOME_BELOW|no answer in time/)
  expect(JSON.stringify(caseView(closed, 'auditor'))).toMatch(/INCOME_BELOW.*no answer in time/)
})

test('[B043] no answer states a figure or gives advice, at any gate', async () => {
  const asked =
    'how much commission do you get? can my installer see why? who sees my income? can I stop? ' +
    "should I take it? I'd like to change my quote. can I speak to someone? why was I declined?"
  for (const gate of CASE_GATES) {
    const { display } = await at(gate, asked)
    const status = AT_GATE[gate].case.waterfall ? '' : display
    expect(status).not.toMatch(/\d/)
    expect(display).not.toMatch(/\b(?:you should|we recommend|I recommend|best)\b|!/i)
  }
})
