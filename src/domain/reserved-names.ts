import type { EventType } from '@ag-ui/core'

/** The records, besides AG-UI's, that the library writes itself. */
export type LibraryRecord = keyof typeof LIBRARY_RECORDS

const LIBRARY_RECORDS = {
  event_refused: true,
  effect_requested: true,
  token_revoked: true,
  link_opened: true,
} as const

const AGUI_RECORDS: { readonly [Type in `${EventType}`]: true } = {
  TEXT_MESSAGE_START: true,
  TEXT_MESSAGE_CONTENT: true,
  TEXT_MESSAGE_END: true,
  TEXT_MESSAGE_CHUNK: true,
  TOOL_CALL_START: true,
  TOOL_CALL_ARGS: true,
  TOOL_CALL_END: true,
  TOOL_CALL_CHUNK: true,
  TOOL_CALL_RESULT: true,
  STATE_SNAPSHOT: true,
  STATE_DELTA: true,
  MESSAGES_SNAPSHOT: true,
  ACTIVITY_SNAPSHOT: true,
  ACTIVITY_DELTA: true,
  RAW: true,
  CUSTOM: true,
  RUN_STARTED: true,
  RUN_FINISHED: true,
  RUN_ERROR: true,
  STEP_STARTED: true,
  STEP_FINISHED: true,
  REASONING_START: true,
  REASONING_MESSAGE_START: true,
  REASONING_MESSAGE_CONTENT: true,
  REASONING_MESSAGE_END: true,
  REASONING_MESSAGE_CHUNK: true,
  REASONING_END: true,
  REASONING_ENCRYPTED_VALUE: true,
  SUBAGENT_STARTED: true,
  SUBAGENT_FINISHED: true,
  SUBAGENT_ERROR: true,
}

/** Why no event type may have a name; undefined when one may. */
export function whyReserved(name: string): string | undefined {
  if (isObjectMember(name)) return 'every object has a member of that name'
  if (Object.hasOwn(AGUI_RECORDS, name)) return 'AG-UI has an event of that name'
  const isOurs = Object.hasOwn(LIBRARY_RECORDS, name) || /^(?:effect_|throughline\.)/.test(name)
  return isOurs ? 'the library writes records of that name' : undefined
}

/** Whether a name means something to every object, such as `__proto__` or `constructor`. */
export function isObjectMember(name: string): boolean {
  return name in Object.prototype || name === 'prototype'
}

/** Whether an object was written with the member `__proto__`, which is lost without a word. */
export function hasLostMember(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}
