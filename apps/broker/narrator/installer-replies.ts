import { isTerminal } from '../case/state.ts'
import { eventTag } from './event-tag.ts'
import { extractFacts } from './extraction.ts'
import type { Extraction } from './extraction.ts'
import type { Heard } from './heard.ts'
import { readHelpNotes, readMore } from './help-notes.ts'
import { leftOut, tellLeftOut } from './left-out.ts'
import { readLine, readList } from './prompt-lines.ts'
import { isAsking, plainWords } from './questions.ts'
import { tellRefusals } from './tell-refusals.ts'
import { tellUnclear } from './unclear.ts'
import { PRODUCTS, tellUnderstood } from './understood.ts'

const BELONGS_TO_CUSTOMER =
  "I have not noted what is personal to the customer: that belongs on the customer's own phone."
const CANNOT = 'I cannot help with that here: I note the project and how to reach the customer.'

/** True whether or not the gate takes the proposal: nothing of this system reaches the customer. */
const WHERE = 'It stands with the facts on this page, to show or copy: nothing is sent from here.'

/** Returns the scripted narrator's reply and proposals for the installer. */
export function installerReply(system: string, { notes, said, earlier }: Heard): string {
  const status = readLine(system, 'CASE_STATUS')
  const refusals = tellRefusals(notes)
  if (status !== 'intake' && status !== 'awaiting_customer') {
    return [...refusals, ...tellHelp(notes), tellStatus(status)].join(' ')
  }
  const missing = readList(system, 'MISSING')
  const firstName = readLine(system, 'CUSTOMER_FIRST_NAME')
  const listening = { asked: missing[0], firstName, earlier }
  const heard = extractFacts(said, listening)
  const open = missing.filter((fact) => !isTold(fact, heard))
  const name = heard.contact.firstName ?? firstName
  const facts = factTags(heard)
  const next = nextStep(system, { open, said, name })
  // Once nothing is missing, the next step says where the link is.
  const answers = tellHelp(notes, open.length === 0 ? ['installer-link'] : [])
  const prose = [
    ...refusals,
    ...tellUnderstood(heard),
    ...(heard.personal ? [BELONGS_TO_CUSTOMER] : []),
    ...tellLeftOut(leftOut(said, heard, listening)),
    ...tellUnclear(heard.unclear),
    ...answers,
    ...(facts.length === 0 && answers.length === 0 && isUnanswered(said, heard) ? [CANNOT] : []),
    next.prose,
  ].join(' ')
  return [prose, ...facts, ...next.tags].join('\n')
}

/** The best article for each part that asks something. */
function tellHelp(notes: readonly string[], without: readonly string[] = []): readonly string[] {
  const help = readHelpNotes(notes).filter(({ article }) => !without.includes(article.id))
  const best = help.filter(({ part }, at) => help.findIndex((each) => each.part === part) === at)
  return [...new Set(best.map(({ article }) => `${article.answer} ${readMore(article)}`))]
}

function tellStatus(status: string): string {
  return isTerminal(status)
    ? 'This case has ended. What came of it, beyond the status on this page, is for the customer to tell.'
    : 'The customer has started, so the rest is on their phone.'
}

/** A question that brought nothing is about something else, unless it is about the link. */
function isUnanswered(said: string, { personal, unclear }: Extraction): boolean {
  const isOfLink = /\b(?:link|send|sent|text(?:ed)?|e-?mail(?:ed)?)\b/i.test(said)
  return (
    (said.includes('?') || isAsking(plainWords(said))) &&
    !personal &&
    unclear.length === 0 &&
    !isOfLink
  )
}

interface Progress {
  readonly open: readonly string[]
  readonly said: string
  readonly name: string
}

function nextStep(system: string, { open, said, name }: Progress) {
  if (open.length > 0) return { prose: question(open), tags: [] }
  const link = eventTag('generate_customer_link', {})
  const theLink = `${name === '' ? 'the customer' : name}'s link`
  if (readLine(system, 'HANDOFF') === 'open') {
    const handoff = eventTag('installer_handoff_complete', {})
    return { prose: `Making ${theLink} now. ${WHERE}`, tags: [link, handoff] }
  }
  if (/\b(?:again|resend|re-send|another link|new link)\b/i.test(said)) {
    return { prose: `Making ${theLink} again. ${WHERE}`, tags: [link] }
  }
  return { prose: `${raised(theLink)} is made. ${WHERE}`, tags: [] }
}

function question(open: readonly string[]): string {
  const last = open.at(-1) ?? ''
  // When only the product is open, the installer may have named one that cannot be financed.
  if (open.length === 1 && last === 'product') {
    return `Product? There are ${Object.values(PRODUCTS).join('; ')}.`
  }
  const asked = open.length > 1 ? `${open.slice(0, -1).join(', ')} and ${last}` : last
  return `${raised(asked)}?`
}

function raised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function isTold(fact: string, { project, contact }: Extraction): boolean {
  const told: Readonly<Record<string, unknown>> = {
    mobile: contact.mobile,
    'first name': contact.firstName,
    email: contact.email,
    'project value': project.projectValue,
    deposit: project.depositAmount ?? project.depositPct,
    product: project.productSpec,
  }
  return told[fact] !== undefined
}

function factTags({ project, retailer, contact }: Extraction): readonly string[] {
  const tags: string[] = []
  const facts = { ...project, ...retailer }
  if (Object.keys(facts).length > 0) tags.push(eventTag('record_project_facts', facts))
  if (Object.keys(contact).length > 0) tags.push(eventTag('record_customer_contact', contact))
  return tags
}
