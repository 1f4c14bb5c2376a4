import { isAgentEventType } from '../activity/index.ts'

/** The records, besides AG-UI's, that the library writes itself. */
export type LibraryRecord = keyof typeof LIBRARY_RECORDS

const LIBRARY_RECORDS = {
  event_refused: true,
  effect_requested: true,
  token_revoked: true,
  link_opened: true,
  thread_erased: true,
  checkpoint_heads: true,
  checkpoint_signed: true,
  checkpoint_cosigned: true,
} as const

/** The record that the person of a thread was erased: it holds what is left of the state. */
export const ERASURE = 'thread_erased' satisfies LibraryRecord

/** Why no event type may have a name; undefined when one may. */
export function whyReserved(name: string): string | undefined {
  if (isObjectMember(name)) return 'every object has a member of that name'
  if (isAgentEventType(name)) return 'AG-UI has an event of that name'
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
