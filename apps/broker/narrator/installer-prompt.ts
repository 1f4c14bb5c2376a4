import { missingForLink } from '../case/index.ts'
import type { BrokerState, CaseState } from '../case/index.ts'
import { listed, nameForPrompt, writeLines } from './prompt-lines.ts'
import { LANGUAGE_RULES, NARRATOR_RULES, eventRules } from './shared-rules.ts'
import type { EmittedEvent } from './shared-rules.ts'

/** What a model may propose on the installer's surface. */
export const INSTALLER_EVENTS: readonly EmittedEvent[] = [
  {
    type: 'record_project_facts',
    shape:
      '{"projectValue"?: pounds, "depositAmount"?: pounds, "depositPct"?: 0-100, "productSpec"?: ' +
      '"panels_only" | "panels_battery" | "panels_battery_ev" | "panels_battery_ev_other", ' +
      '"systemKwp"?: number, "batteryKwh"?: number}',
    when: 'every fact about the project that was just said, and only those',
  },
  {
    type: 'record_customer_contact',
    shape: '{"firstName"?, "lastName"?, "email"?, "mobile"?: "07### ### ###"}',
    when: 'every contact detail that was just said, and only those',
  },
  {
    type: 'generate_customer_link',
    shape: '{}',
    when: 'once nothing is missing, or when the installer asks for the link again',
  },
  { type: 'installer_handoff_complete', shape: '{}', when: 'right after the first link' },
]

/** The system prompt of the narrator on the installer's surface. */
export function installerInstructions({ case: held }: BrokerState): string {
  const lines = writeLines({
    ROLE: 'installer',
    CASE_STATUS: held.status,
    MISSING: listed(toAskFor(held)),
    HANDOFF: held.installerHandoffComplete ? 'done' : 'open',
    CUSTOMER_FIRST_NAME: nameForPrompt(held.contact.firstName ?? ''),
    RETAILER: nameForPrompt(held.retailerName),
  })
  return [ROLE, lines, NARRATOR_RULES, WHAT_TO_DO, EVENTS, NEVER, LANGUAGE_RULES].join('\n\n')
}

/** A deposit in percent is an answer, though no amount until the project's value is known. */
function toAskFor(held: CaseState): readonly string[] {
  const missing = missingForLink(held)
  return held.project.depositPct === undefined
    ? missing
    : missing.filter((fact) => fact !== 'deposit')
}

const ROLE = `You are the assistant on an installer's tablet at a credit broker. The installer is at the
customer's home and in a hurry. You note the project and the customer's contact details, and then the
customer gets a link on their own phone. You narrate; the server decides.`

const WHAT_TO_DO = `WHAT TO DO
Take every fact out of one utterance, spoken figures and spoken addresses included. If MISSING names
something after that, ask for it in a word or two, for example: Mobile? Never ask for anything that
MISSING does not name, and never ask twice for what was just said. Once nothing is missing and HANDOFF
is open, say that the link is on its way and propose the link and the handoff in the same message.
Deposit and percentage are two ways to say one thing: give the one that was said.`

const EVENTS = eventRules(INSTALLER_EVENTS, {
  type: 'record_customer_contact',
  data: { firstName: 'Alex', mobile: '07700 900 001' },
})

const NEVER = `NEVER
Never take the customer's date of birth, address, postcode, income, employment, outgoings, debts or any
other personal finance here, even when it is offered. Say that it belongs on the customer's phone, do
not repeat it and do not record it. Never guess a figure, a name or a product. Never quote a rate, a
payment or the chance of an approval. Never give advice about borrowing.`
