import { membersOf, ourMetadata, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { inWords, wordsOf } from './sentence.ts'
import type { Telling, Tellings } from './sentence.ts'

/** Sentences for the library's important records, in threads of any application. */
export const LIBRARY_TELLINGS: Tellings = {
  event_refused: {
    sentence: (data) =>
      `Not accepted: ${inWords(textOf(data, 'type')) || 'something without a name'} (${inWords(textOf(data, 'reason'))})`,
  },
  effect_requested: {
    sentence: (data) => `Work outside was asked for: ${wordsOf(data, 'effect')}`,
  },
  'throughline.effect_failed': {
    kind: 'effect_failed',
    sentence: (data) =>
      `Work outside failed: ${wordsOf(data, 'effect')} (${textOf(data, 'message')})`,
  },
  'throughline.model_output: failed': modelError(
    (data) => `A call of the model failed: ${textOf(data, 'error')}`,
  ),
  SUBAGENT_ERROR: modelError(
    (data) => `The agent that was asked failed: ${textOf(data, 'message')}`,
  ),
  RUN_ERROR: modelError(
    (data) => `The turn failed: ${textOf(data, 'message') || textOf(data, 'code')}`,
  ),
  'RUN_FINISHED: limit': modelError(
    (data) => `The turn reached a limit: ${textOf(ourMetadata(data), 'message')}`,
  ),
  'RUN_FINISHED: cancelled': {
    kind: 'turn_stopped',
    sentence: (data) =>
      `The turn was stopped by the ${textOf(membersOf(data)['metadata'] ?? null, 'stoppedBy')}`,
  },
  'throughline.wait_for_input': {
    kind: 'waiting',
    sentence: 'An agent stopped to ask and waits for the answer',
  },
  link_opened: {
    sentence: (data) =>
      `The link of the ${textOf(data, 'role')} was opened in browser ${browserOf(data)}`,
  },
  token_revoked: { sentence: revocation },
  thread_erased: {
    sentence: (data) =>
      `The person was erased for ever, by ${textOf(data, 'by')}: ${textOf(data, 'why')}`,
  },
}

function modelError(sentence: (data: Json) => string): Telling {
  return { kind: 'model_error', sentence }
}

/** Enough of the session's id to tell a few browsers apart. */
function browserOf(data: Json): string {
  return textOf(data, 'session').slice(0, 8)
}

function revocation(data: Json): string {
  const role = textOf(data, 'role')
  return membersOf(data)['generation'] === undefined
    ? `A link of the ${role} was revoked`
    : `All links of the ${role} that existed then were revoked`
}
