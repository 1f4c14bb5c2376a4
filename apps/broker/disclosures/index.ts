/**
 * The regulated texts: what a customer is shown before a click counts, in versions that are hashed,
 * dated and never lost, so that evidence can name exactly what stood on the screen.
 * A text is written and approved by people; no model writes one and no case data enters one.
 * It must never know a case: the case itself records which texts were read.
 *
 * @module
 */
export { readBody } from './body.ts'
export { brokerDisclosures } from './broker-disclosures.ts'
export { DISCLOSURE_IDS } from './disclosure.ts'
export type { DisclosureId } from './disclosure.ts'
export { DEMO_FIRM } from './firm-details.ts'
export type { FirmDetails } from './firm-details.ts'
export { nextStepsAfter } from './next-steps.ts'
export { disclosureRegistry } from './registry.ts'
export type { DisclosureRegistry } from './registry.ts'
