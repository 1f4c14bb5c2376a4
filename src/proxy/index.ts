/**
 * A server with a log in front of an AG-UI agent that exists already: one agent, whose page keeps working.
 * A composition of the rooms below, for the command.
 *
 * Invariant: what a person was shown stays, and no value of a header is put on record but the name of an owner.
 * It must never know what the agent's state or its messages mean.
 *
 * @module
 */
export { loadDomain } from './proxy-domain.ts'
export { openProxy } from './open-proxy.ts'
export type { ProxyOptions, RunningProxy } from './open-proxy.ts'
