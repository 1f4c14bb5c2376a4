/**
 * The decision engine: what a loan costs, and what the panel's lenders say to an application.
 * Lenders stand behind one boundary, {@link LenderPanel}: the built-in ones pretend, the `gateway` asks
 * others over HTTP, and nothing else changes. Pages load this room, so it needs no module of Node. Lenders are asked in order, one at a time,
 * and the loan that was asked for never changes on the way.
 * It must never know the conversation or what makes a customer vulnerable, nor tell one lender what
 * another said; and no other folder names a lender.
 *
 * @module
 */
export { builtInPanel, inventedDecision } from './built-in-panel.ts'
export { answerOf, decisionRequest, readAnswer } from './decision-exchange.ts'
export type { DecisionAnswer, DecisionRequest } from './decision-exchange.ts'
export { DEMO_SCENARIOS } from './panel.ts'
export type { DemoScenario, LenderDecision, LenderPanel, PanelLender } from './panel.ts'
export { quote } from './quote.ts'
export { TERM_CHIPS_MONTHS, TERM_MONTHS_MAX, TERM_MONTHS_MIN } from './terms.ts'
export { acceptCounter, askLender, refuseCounter } from './waterfall.ts'
