import { BUTTONS_COUNT, answersTo } from './answers.ts'
import { lenderOf } from './case-costs.ts'
import { eventTag } from './event-tag.ts'
import type { Heard } from './heard.ts'
import { readCosts, readHelpNotes } from './help-notes.ts'
import { LINK_OPENED } from './notes.ts'
import { ON_PAGE } from './page-names.ts'
import { readLine, readList } from './prompt-lines.ts'
import { tellNews } from './tell-news.ts'
import { NO_OFFER, STILL_ASKING, tellWaterfall } from './tell-waterfall.ts'
import { readWaterfallNote } from './waterfall-note.ts'

const SERVICE_STATUS = 'disclosure:service_status'
const UNDERSTOOD = /\b(?:i|i've|we) (?:do )?(?:understand|understood|have read)\b|^understood\b/i

/** Returns the scripted narrator's reply and proposals for the customer. */
export function customerReply(system: string, heard: Heard): string {
  const gate = readLine(system, 'CURRENT_GATE')
  if (acknowledges(system, heard)) {
    const tag = eventTag('acknowledge_disclosure', { id: 'service_status' })
    return `Thank you. ${GATE_SENTENCES['eligibility']}\n${tag}`
  }
  const [status, outcome] = [readLine(system, 'CASE_STATUS'), readLine(system, 'OUTCOME')]
  const help = readHelpNotes(heard.notes)
  const figures = readCosts(heard.notes)
  const lender = lenderOf(figures)
  const where = { gate, status, outcome, ...(lender && { lender }) }
  const answers = answersTo({ said: heard.said, where, help, figures })
  const news = tellNews(heard.notes)
  // An answer is complete: a customer with a question or in difficulty is not sent on to the next step.
  const isAnswered = answers.length > 0 && !answers.includes(BUTTONS_COUNT) && gate !== 'closed'
  const isAlone = isAnswered && news.length === 0 && !hasResult(heard.notes, status)
  const next =
    isAlone || help.some(({ kind }) => kind === 'support') ? '' : tellWhere(system, heard)
  const prose = [...news, ...answers, next].filter((sentence) => sentence !== '').join(' ')
  return [prose, ...tags(system, gate)].join('\n')
}

function hasResult(notes: readonly string[], status: string): boolean {
  return notes.some((note) => note === LINK_OPENED || readWaterfallNote(note, status) !== undefined)
}

/** Words count for this one notice, and only once it is on the screen. */
function acknowledges(system: string, { said }: Heard): boolean {
  const shown = readList(system, 'PRESENTED').includes('service_status')
  const asked = readLine(system, 'CURRENT_GATE') === SERVICE_STATUS
  return shown && asked && UNDERSTOOD.test(said) && !/\bnot\b|n't|\?/i.test(said)
}

function tags(system: string, gate: string): readonly string[] {
  if (gate === 'complete') return [eventTag('case_complete', {})]
  const [kind, id = ''] = gate.split(':')
  if (kind !== 'disclosure' || readList(system, 'PRESENTED').includes(id)) return []
  return [eventTag('present_disclosure', { id })]
}

const TOLD_GATES: readonly string[] = ['waterfall', 'counter', 'accept']

function tellWhere(system: string, { notes }: Heard): string {
  const status = readLine(system, 'CASE_STATUS')
  const gate = readLine(system, 'CURRENT_GATE')
  const news = notes.map((note) => readWaterfallNote(note, status)).findLast(Boolean)
  if (news && (TOLD_GATES.includes(gate) || status === 'declined')) return tellWaterfall(news)
  if (gate === 'closed') return tellEnd(system, status)
  const opened = notes.includes(LINK_OPENED)
  if (opened && gate === SERVICE_STATUS) return greeting(system)
  const where = GATE_SENTENCES[gate] ?? ''
  return opened ? `Welcome back. ${where}` : where
}

export function greeting(system: string): string {
  const name = readLine(system, 'CUSTOMER_FIRST_NAME')
  const retailer = readLine(system, 'RETAILER')
  return [
    name === '' ? 'Hello.' : `Hello ${name}.`,
    `I am an AI assistant, and I walk you through applying for finance for your project${
      retailer === '' ? '' : ` with ${retailer}`
    }.`,
    'You decide each step with the buttons, and you can stop at any time.',
    GATE_SENTENCES[SERVICE_STATUS],
  ].join(' ')
}

const GATE_SENTENCES: Readonly<Record<string, string>> = {
  handoff: 'The installer has not finished with your project yet.',
  [SERVICE_STATUS]: `Please read the notice about our service, then press ${ON_PAGE.understand}.`,
  eligibility: 'The card asks four short questions about whether you can apply.',
  quote: 'Please choose how long you would like to repay over. The card shows an indicative quote.',
  email: 'Would you like a copy of the quote by email? It is optional.',
  details: 'The form asks for your details, your income and your outgoings.',
  vulnerability:
    'The next card asks whether you would like any extra support. It is optional and does not ' +
    'affect any decision.',
  'disclosure:credit_search_consent': `Please read the notice about the credit search, then press ${ON_PAGE.grant} or ${ON_PAGE.refuse}. It is your choice.`,
  consent_refused:
    'You have refused the credit search, so no lender can be asked and nothing has been sent. You ' +
    `can leave it there or think it over, and ${ON_PAGE.grant} stays open to you.`,
  'disclosure:pre_contract_summary': `Please read the summary, then press ${ON_PAGE.confirm}, or ${ON_PAGE.amend} if something is not right.`,
  submit: 'We are sending your application to the lenders now.',
  waterfall: STILL_ASKING,
  counter:
    'The card shows what you asked for beside what is offered. Either button is open to you.',
  accept:
    'The card shows the offer. You decide there, and nothing binds you before you sign the lender’s own agreement.',
  complete: 'The lender will send you its own documents to read before you sign anything.',
}

const CRITERIA: Readonly<Record<string, string>> = {
  isOver18: 'that you are 18 or over',
  isUkResident: 'that you live in the UK',
  isHomeowner: 'that you own your home',
  isEmployed: 'that you are employed',
}

function tellEnd(system: string, status: string): string {
  switch (status) {
    case 'ineligible': {
      const failed = readList(system, 'FAILED_CRITERIA').map((id) => CRITERIA[id] ?? id)
      return (
        `I am sorry, this application cannot go on. The lenders require ${failed.join(' and ')}. ` +
        'That is a requirement of theirs and not a credit decision, and no credit search was made. ' +
        'MoneyHelper has free guidance on other ways to pay.'
      )
    }
    case 'declined':
      return NO_OFFER
    case 'withdrawn':
      return readLine(system, 'SENT_TO_LENDERS') === 'no'
        ? 'Your application has stopped. No lender has received it.'
        : 'Your application has stopped. Lenders that were already asked may keep a record of it.'
    default:
      return 'Your application is complete, and there is nothing more to do here.'
  }
}
