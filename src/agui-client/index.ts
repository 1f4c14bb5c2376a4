/**
 * A client of AG-UI agents: runs, joins and stops them over fetch, and folds their events into what a page
 * shows, at a cost that does not grow with the thread. A stream that stops before its run ended is never a
 * success. It must never know one agent's server from another, nor any page or DOM.
 *
 * @module
 */

export type { AguiClientErrorCode } from './agui-client-error.ts'
export { aguiFetch } from './agui-fetch.ts'
export type { AguiFetchOptions } from './agui-fetch.ts'
export { AguiThread, SNAPSHOT_REQUESTS_MAX } from './agui-thread.ts'
export type { AguiThreadOptions, RunRequest } from './agui-thread.ts'
export type { Fault } from '../activity/index.ts'
export type { AguiThreadView, RunEnd } from './run-state.ts'
export { SUBAGENTS_KEPT_MAX } from './subagent-tree.ts'

export { ThreadFold } from './thread-fold.ts'
export type { ThreadFoldOptions } from './thread-fold.ts'
