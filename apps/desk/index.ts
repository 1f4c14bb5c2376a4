/**
 * A refunds desk, as a demonstration of agents at work: `desk` asks `orders` and `policy`, `orders` asks
 * `archive` two things at once, `archive` asks `carrier`; a refund waits for a person, and `writer` takes
 * the conversation over to answer the customer. The shop, its orders and its money are invented. It must
 * never know how agents are run, stored or served.
 *
 * @module
 */
export { deskAgents } from './agents.ts'
export { scriptedDesk } from './scripted-desk.ts'
