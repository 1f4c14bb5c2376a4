/**
 * Reading a thread live and asking its server, from a browser or from Node.
 * Whatever happens to the connection, a reader gets every record once and in order, or is told
 * by a `reset` that it must start over, or by `refused` that there is nothing more to get.
 * It must never fold what it delivers, nor know any domain, page or DOM.
 *
 * @module
 */
export { ClientError } from './client-error.ts'
export type { ClientErrorCode, ClientErrorOptions, Problem } from './client-error.ts'
export type { Fetch } from './connection.ts'
export { request } from './request.ts'
export type { RequestOptions } from './request.ts'
export { subscribe, subscribeAsCaller } from './subscribe.ts'
export type { CallerSubscribeOptions, SubscribeOptions } from './subscribe.ts'
export type {
  CallerEvents,
  CallerUpdate,
  ThreadRecord,
  StatefulUpdate,
  ThreadReset,
  ThreadState,
  ThreadStatus,
  ThreadUpdate,
} from './thread-update.ts'
