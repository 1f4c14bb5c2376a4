/**
 * Hooks for pages over a thread: a live view of it, its latest records, and sending to its server.
 * Each hook is thin over a plain store, which any other view library can use as well.
 * It must never know a domain, and never show as recorded what the server has not recorded.
 *
 * @module
 */
export type { PageState } from './page-state.ts'
export { Sender, UNSENT_MAX } from './sender.ts'
export type { SenderOptions, SendResult, SendState, UnsentBody } from './sender.ts'
export { ThreadStore } from './thread-store.ts'
export type { ThreadPlace, ThreadSnapshot, ThreadStoreOptions } from './thread-store.ts'
export { useEvents } from './use-events.ts'
export { useSend } from './use-send.ts'
export type { UseSendOptions } from './use-send.ts'
export { useThread } from './use-thread.ts'
export type { FollowOptions, UseThreadOptions } from './use-thread.ts'
export { FoldedView, LatestRecords, RECORDS_KEPT_MAX } from './view.ts'
export type { FoldOptions, ViewBuilder } from './view.ts'
