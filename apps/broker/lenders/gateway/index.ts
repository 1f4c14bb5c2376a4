/**
 * Lenders that answer over HTTP. A door of its own, since it runs in Node alone and pages load the decision
 * engine. It must never decide anything, nor name a lender.
 *
 * @module
 */
export { httpPanel } from './http-panel.ts'
