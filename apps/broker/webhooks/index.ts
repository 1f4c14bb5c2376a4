/**
 * Reports events of cases to another system: signed requests, each sent at least once and recorded
 * exactly once.
 * The deliveries and their results are folds of a case's records, so a killed server continues where it
 * stopped. A dead letter gets a new round of attempts when an operator's request for it is recorded.
 * This room must never change a case, delay other work, or send personal data that the receiver does not
 * need.
 *
 * @module
 */
export { DeadLetters } from './dead-letters.ts'
export type { ResendRefusal, Resent, Undelivered } from './dead-letters.ts'
export { Outboxes } from './outboxes.ts'
export { JOURNEY_IDLE_MS, Webhooks } from './webhooks.ts'
export type { WebhookOptions } from './webhooks.ts'
