import { CASE_GATES } from '../case/index.ts'
import type { CaseGate } from '../case/index.ts'
import { ON_PAGE, ASK_PERSON, ROWS } from './page-names.ts'

const CHANGE =
  /\b(?:change(?! my mind)|amend|edit|redo|put right)\b|\b(?:correct|update|fix) (?:an?|it|my|some|that|the|this|what)\b|\b(?:wrong|mistake|mistyped|typo)\b/

/** Words that are no answer of the customer's. */
const PROJECT =
  /\b(?:project|price|costs?|deposit|panels?|batter(?:y|ies)|charger|solar|system|kwp?|kwh|product|installation|retailer|amount|how much i borrow)\b/
const LENDERS = /\b(?:lenders?|bank|rate|apr|interest)\b/
const ELIGIBILITY = /\b(?:eligib\w+|four questions|over 18|homeowner)\b/

type Row = keyof typeof ROWS

/** Words that name an answer, by the card that takes it. */
const NAMED: readonly (readonly [row: Row, words: RegExp])[] = [
  ['quote', /\b(?:term|months?|years?|quote|repay\w*|payments?|instal\w+)\b/],
  ['email', /\be-?mail\b|\bcopy\b/],
  ['vulnerability', /\b(?:support|health|vulnerab\w+)\b/],
  [
    'details',
    /\b(?:details?|names?|birth\w*|born|age|address|post ?code|town|mobile|phone|number|incomes?|salary|wages?|earn\w*|outgoings?|rent|mortgage|employ\w+|job|work|commitments?|home|house)\b/,
  ],
]

const SENT_GATES: readonly CaseGate[] = ['waterfall', 'counter', 'accept', 'complete', 'closed']
const SENT = `Once lenders are asked, your answers stay as they are. ${ASK_PERSON}`
const NOT_MINE = 'I cannot change it for you.'

/** Says where on the page something can be changed; nothing unless a change was spoken of. */
export function whereToChange(said: string, gate: string): string | undefined {
  if (!CHANGE.test(said)) return undefined
  const at = CASE_GATES.find((known) => known === gate) ?? 'handoff'
  if (SENT_GATES.includes(at)) return SENT
  if (PROJECT.test(said)) return ofProject(at)
  if (LENDERS.test(said)) {
    return 'The lenders and their rates are no answers of yours. The quote is indicative, and a lender may offer another rate.'
  }
  if (ELIGIBILITY.test(said) && isPast(at, 'eligibility')) {
    return `Your answers about eligibility have no ${ON_PAGE.change} button. ${ASK_PERSON}`
  }
  const named = NAMED.find(([, words]) => words.test(said))
  return named ? ofAnswer(named[0], at) : ofAny(at)
}

/** Until the customer has pressed the first button the installer can still change the project. */
function ofProject(at: CaseGate): string {
  return isPast(at, 'disclosure:service_status')
    ? `The project is your installer's to give, and it stays as it is once you have started. ${ASK_PERSON}`
    : `The project is your installer's to give. They can still change it until you press ${ON_PAGE.understand}.`
}

function ofAnswer(row: Row, at: CaseGate): string {
  if (isPast(at, row)) {
    return `Press ${ON_PAGE.change} beside ${ROWS[row]}, under ${ON_PAGE.answersSoFar}, and answer again. ${orAmend(row, at)}${NOT_MINE}`
  }
  if (at !== row)
    return 'You have not been asked for that yet. It has a card of its own, further on.'
  if (row !== 'details')
    return 'The card on your screen asks for that, so you can still choose there.'
  return (
    `The form on your screen, ${ROWS.details}, asks for that. ${ON_PAGE.checkAnswers} shows each answer ` +
    `with ${ON_PAGE.change} beside it, and nothing is recorded until you press ${ON_PAGE.recordDetails}.`
  )
}

function orAmend(row: Row, at: CaseGate): string {
  const summary = at === 'disclosure:pre_contract_summary' && row === 'details'
  return summary ? `${ON_PAGE.amend} under the summary opens the same form. ` : ''
}

function ofAny(at: CaseGate): string {
  if (!isPast(at, 'quote'))
    return 'There is nothing to change yet: no answer of that kind is recorded.'
  return `Press ${ON_PAGE.change} beside an answer, under ${ON_PAGE.answersSoFar}, and answer again. ${orAmend('details', at)}${NOT_MINE}`
}

function isPast(at: CaseGate, gate: CaseGate): boolean {
  return CASE_GATES.indexOf(at) > CASE_GATES.indexOf(gate)
}
