/**
 * The stock client of AG-UI, `@ag-ui/client`, with what durable agents can do beyond it. The one room that imports
 * it: who does not use this subpath need not install it.
 *
 * @module
 */
export { DurableAgent } from './durable-agent.ts'
export { DurableRunner } from './durable-runner.ts'
