import { membersOf } from 'throughline/agui'
import type { Json, LogRecord } from 'throughline/log'

type Data = Readonly<Record<string, Json | undefined>>
type Sentence = string | ((data: Data) => string)

/** Says in one sentence what a record records; one without a sentence is named in plain words. */
export function sentenceOf({ type, data }: LogRecord): string {
  const members = membersOf(data)
  const name = type === 'CUSTOM' ? text(members['name']) : type
  const said = type === 'CUSTOM' ? (members['value'] ?? null) : data
  // A note is its text alone.
  if (name === 'throughline.note') return `The model was told: ${text(said)}`
  const sentence = SENTENCES.get(name)
  if (sentence === undefined) return inPlainWords(name.replace(/^throughline\./, ''))
  return typeof sentence === 'string' ? sentence : sentence(membersOf(said))
}

const SENTENCES: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['RUN_STARTED', 'A run of the agent started'],
  [
    'RUN_FINISHED',
    ({ outcome = null, metadata = null }) =>
      membersOf(outcome)['type'] === 'cancelled'
        ? `The run was stopped${by(membersOf(metadata)['stoppedBy'])}`
        : 'The run ended',
  ],
  ['RUN_ERROR', ({ message }) => `The run failed: ${text(message)}`],
  ['TEXT_MESSAGE_START', ({ role }) => `A message of the ${text(role) || 'assistant'} began`],
  ['TEXT_MESSAGE_CONTENT', ({ delta }) => text(delta)],
  ['TEXT_MESSAGE_END', 'The message ended'],
  ['STEP_STARTED', 'The model was called'],
  ['STEP_FINISHED', 'The call of the model ended'],
  ['REASONING_START', 'The model began to think'],
  ['REASONING_MESSAGE_START', 'A thought of the model began'],
  ['REASONING_MESSAGE_CONTENT', ({ delta }) => `The model thought: ${text(delta)}`],
  ['REASONING_MESSAGE_END', 'The thought ended'],
  ['REASONING_ENCRYPTED_VALUE', 'The provider sealed the thought'],
  ['REASONING_END', 'The model ended its thinking'],
  ['TOOL_CALL_START', ({ toolCallName }) => `The model asked for the tool ${text(toolCallName)}`],
  ['TOOL_CALL_ARGS', ({ delta }) => `More of what the tool is to be given: ${text(delta)}`],
  ['TOOL_CALL_END', 'The call of the tool is complete'],
  ['TOOL_CALL_RESULT', ({ content }) => `The tool answered: ${text(content)}`],
  ['ACTIVITY_SNAPSHOT', 'The tool showed how far it is'],
  ['SUBAGENT_STARTED', ({ name }) => `The agent ${text(name)} was asked`],
  ['SUBAGENT_FINISHED', 'The agent that was asked is done'],
  ['SUBAGENT_ERROR', ({ message }) => `The agent that was asked failed: ${text(message)}`],
  [
    'throughline.model_output',
    ({ error }) =>
      error === undefined
        ? 'Everything that the model said, as it came'
        : `Everything that the model said before its call failed (${text(error)})`,
  ],
  [
    'throughline.effect_failed',
    ({ effect, message }) => `Could not be done: ${text(effect)} (${text(message)})`,
  ],
  ['throughline.history_reset', 'The agents forgot what was said'],
  ['throughline.history_compacted', 'What was said was shortened for the model'],
  ['throughline.wait_for_input', 'An agent stopped to ask and waits for the answer'],
  [
    'throughline.webhook_idle',
    ({ since }) => `Nothing has happened since ${text(since)}, and the receiver is to be told`,
  ],
  [
    'throughline.webhook_delivered',
    (data) => `The receiver was told of ${event(data)}, at attempt ${text(data['attempt'])}`,
  ],
  [
    'throughline.webhook_failed',
    (data) =>
      `The receiver could not be told of ${event(data)}: attempt ${text(data['attempt'])} failed (${text(data['reason'])})`,
  ],
  [
    'throughline.webhook_dead_lettered',
    (data) =>
      `The receiver was given up on for ${event(data)}: attempt ${text(data['attempt'])} was the last (${text(data['reason'])})`,
  ],
  [
    'throughline.webhook_resent',
    (data) => `The operator has the receiver told of ${event(data)} again`,
  ],
  [
    'token_revoked',
    ({ role, issuedUntil }) =>
      issuedUntil === undefined
        ? `A link of the ${text(role)} was revoked`
        : `All links that the ${text(role)} had were revoked`,
  ],
  [
    'event_refused',
    ({ type, reason }) => `Not accepted: ${inPlainWords(text(type))} (${text(reason)})`,
  ],
  ['case_created', ({ retailerName }) => `The case was opened for ${text(retailerName)}`],
  ['case_hydrated', 'The case was brought back from its recovery seed'],
  ['record_project_facts', (data) => `Project facts: ${named(data)}`],
  ['record_customer_contact', (data) => `Contact details: ${named(data)}`],
  ['generate_customer_link', 'The customer link was made'],
  ['installer_handoff_complete', 'The installer handed the case over'],
  ['record_eligibility', 'The customer answered the four eligibility questions'],
  ['record_provisional_quote', ({ termMonths }) => `A quote over ${text(termMonths)} months`],
  ['record_email_preference', 'The customer chose about an email copy'],
  ['record_personal_facts', (data) => `Personal facts: ${named(data)}`],
  ['record_financial_facts', (data) => `Financial facts: ${named(data)}`],
  ['record_vulnerability_indicators', 'The customer answered about support'],
  ['present_disclosure', ({ id }) => `Shown: ${inPlainWords(text(id))}`],
  ['acknowledge_disclosure', ({ id }) => `Acknowledged: ${inPlainWords(text(id))}`],
  [
    'capture_consent',
    ({ consentType, granted }) =>
      `${inPlainWords(text(consentType))}: ${granted === true ? 'granted' : 'refused'}`,
  ],
  ['submit_application', 'The application was submitted'],
  ['effect_requested', ({ effect }) => `Requested: ${text(effect)}`],
  ['waterfall_recorded', 'The lenders have answered'],
  ['accept_counter_offer', 'The customer accepted the counter-offer'],
  ['refuse_counter_offer', 'The customer turned down the counter-offer'],
  ['select_offer', 'The customer accepted the offer'],
  ['request_decision', 'A decision was asked for, as cases once did'],
  ['withdraw', 'The customer left the application'],
  ['case_outcome', ({ kind }) => `Outcome: ${inPlainWords(text(kind))}`],
  ['case_complete', 'The case is finished'],
])

/** What a receiver is told, in words. */
function event({ event: name }: Data): string {
  return inPlainWords(text(name)).toLowerCase()
}

function by(somebody: Json | undefined): string {
  return typeof somebody === 'string' ? ` by the ${somebody}` : ''
}

function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

/** Which facts there are, without the facts: they stand in the JSON. */
function named(data: Data): string {
  const words = Object.keys(data).map((name) => inPlainWords(name).toLowerCase())
  return words.join(', ')
}

function inPlainWords(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
