import { textOf } from 'throughline/client'
import type { Sentence } from './sentence.ts'

/**
 * Sentences for background records, which only the list of all records shows: the steps of a turn and
 * the parts of its messages. Their keys are types or names.
 */
export const BACKGROUND: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['RUN_STARTED', 'A run of the agent started'],
  ['RUN_FINISHED', 'The run ended'],
  ['STEP_STARTED', 'The model was called'],
  ['STEP_FINISHED', 'The call of the model ended'],
  ['TEXT_MESSAGE_START', (data) => `A message of the ${textOf(data, 'role') || 'assistant'} began`],
  ['TEXT_MESSAGE_END', 'A message without words ended'],
  ['REASONING_START', 'The model began to think'],
  ['REASONING_MESSAGE_START', 'A thought of the model began'],
  ['REASONING_MESSAGE_END', 'The thought ended'],
  ['REASONING_ENCRYPTED_VALUE', 'The provider sealed the thought'],
  ['REASONING_END', 'The model ended its thinking'],
  ['TOOL_CALL_START', (data) => `The model asked for the tool ${textOf(data, 'toolCallName')}`],
  ['TOOL_CALL_END', 'The call of the tool is complete'],
  ['TOOL_CALL_RESULT', (data) => `The tool answered: ${textOf(data, 'content')}`],
  ['ACTIVITY_SNAPSHOT', 'The tool showed how far it is'],
  ['SUBAGENT_STARTED', (data) => `The agent ${textOf(data, 'name')} was asked`],
  ['SUBAGENT_FINISHED', 'The agent that was asked is done'],
  ['throughline.model_output', 'Everything that the model said in this call, as it came'],
  [
    'throughline.cancel_requested',
    (data) => `A stop of the run was asked for by the ${textOf(data, 'by')}`,
  ],
  ['throughline.note', (data) => `The model was told: ${typeof data === 'string' ? data : ''}`],
  ['throughline.request', 'A request came that may be repeated under its key'],
  ['throughline.answer', 'The answer of that request'],
  ['throughline.erasure', 'An operator asked for an erasure'],
  ['RAW', 'Another agent sent something of its own'],
  ['throughline.wire_run', 'A client named its run'],
  ['throughline.history_reset', 'The agents forgot what was said'],
  ['throughline.history_compacted', 'What was said was shortened for the model'],
  ['throughline.program_asked', 'A program was asked to answer for the agent'],
  ['throughline.program_question', 'The program of the agent asked a question'],
  ['throughline.program_answer', 'The question of the program was answered'],
  ['throughline.remote_state', 'An agent on another server said what its state is'],
  ['throughline.remote_event', 'An agent on another server sent an event that has no effect here'],
])

/** Records of parts: how a part reads, and which member names its whole. */
export const PARTS: ReadonlyMap<string, { readonly of: string; readonly key: string }> = new Map([
  ['TEXT_MESSAGE_CONTENT', { of: 'message', key: 'messageId' }],
  ['REASONING_MESSAGE_CONTENT', { of: 'thought', key: 'messageId' }],
  ['TOOL_CALL_ARGS', { of: 'tool call', key: 'toolCallId' }],
])
