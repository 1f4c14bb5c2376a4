/**
 * The stock AG-UI client, `@ag-ui/client`, in front of agents whose runs outlive a connection. It needs that package
 * installed beside this one.
 *
 * @module
 */
export { DurableAgent, DurableRunner } from '../stock-client/index.ts'
