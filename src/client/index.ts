/**
 * Reading a thread live and asking its server, from a browser or from Node.
 * Across lost connections, a reader gets every record once and in order, or learns
 * by a `reset` that it must start over, or by `refused` that there is nothing more to get.
 * A fetch for other event streams goes on after a cut in the same way.
 * It must never fold records, nor know any domain, page or DOM.
 *
 * @module
 */
export { Backoff } from './backoff.ts'
export { ClientError } from './client-error.ts'
export type { ClientErrorCode, Problem } from './client-error.ts'
export type { Fetch } from './connection.ts'
export { FrameReader } from './frames.ts'

export { problemError } from './problem.ts'
export { request } from './request.ts'
export type { RequestOptions } from './request.ts'
export { RESUMES_MAX, resumableFetch } from './resumable-fetch.ts'
export type { ResumableFetchOptions } from './resumable-fetch.ts'
export { sleep } from './wait.ts'
export { subscribe } from './subscribe.ts'
export type { CallerSubscribeOptions, SubscribeOptions } from './subscribe.ts'
export type {
  CarriedFrame,
  CallerUpdate,
  ThreadRecord,
  StatefulUpdate,
  ThreadState,
  ThreadStatus,
  ThreadUpdate,
} from './thread-update.ts'
