/**
 * Tells another system of what happened in cases: signed requests, sent from the log, each sent at least
 * once and recorded exactly once.
 * What is to be sent follows from a case's records alone, and what became of it is recorded beside them,
 * so that a killed server goes on where it stopped; what was given up on begins anew when an operator's
 * request for it is recorded there. It must never change a case, hold anything up, or
 * send what a receiver need not know.
 *
 * @module
 */
export { DeadLetters } from './dead-letters.ts'
export type { ResendRefusal, Resent, Undelivered } from './dead-letters.ts'
export { Outboxes } from './outboxes.ts'
export { JOURNEY_IDLE_MS, Webhooks } from './webhooks.ts'
export type { WebhookOptions } from './webhooks.ts'
