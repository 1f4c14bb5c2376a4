/**
 * Hooks for pages over a thread: a live view of it, its latest records, its agents at work, and sending
 * to its server.
 * Each hook is thin over a plain store, which any other view library can use as well.
 * It must never know a domain, and never show as recorded what the server has not recorded.
 *
 * @module
 */
export { AgentThreadStore } from './agent-thread-store.ts'
export type { AgentThreadSnapshot, AgentThreadStoreOptions } from './agent-thread-store.ts'
export { AgentThreadView } from './agent-thread-view.ts'
export type { AgentThread } from './agent-thread-view.ts'
export { Clicks } from './clicks.ts'
export type { PageState } from './page-state.ts'
export { ServedAgentsStore } from './served-agents.ts'
export type { ServedAgents } from './served-agents.ts'
export { OUTBOX_MAX } from './outbox.ts'
export { Sender } from './sender.ts'
export type { SendResult, SendState } from './sender.ts'
export { newId } from './new-id.ts'
export { ThreadRequests } from './thread-requests.ts'
export type { PendingRequest, RequestResult, ThreadRequest } from './thread-requests.ts'
export { SHARED_RECORDS_MAX } from './shared-stream.ts'
export { ThreadStore } from './thread-store.ts'
export type { ThreadPlace, ThreadSnapshot, ThreadStoreOptions } from './thread-store.ts'
export { useAgentThread } from './use-agent-thread.ts'
export type { LiveAgentThread, UseAgentThreadOptions } from './use-agent-thread.ts'
export { useAguiThread } from './use-agui-thread.ts'
export type { LiveAguiThread, UseAguiThreadOptions } from './use-agui-thread.ts'
export { useClientTools } from './use-client-tools.ts'
export type { ClientToolRunners } from './client-tools.ts'
export { useSend } from './use-send.ts'
export type { UseSendOptions } from './use-send.ts'
export { useServedAgents } from './use-served-agents.ts'

export { useThread } from './use-thread.ts'
export type {
  LiveRecords,
  LiveState,
  UseThreadOptions,
  UseThreadRecordsOptions,
  UseThreadStateOptions,
} from './use-thread.ts'
export type { ListedThreads } from './threads-store.ts'
export { useThreads } from './use-threads.ts'
export type { UseThreadsOptions } from './use-threads.ts'
export { useWaits } from './use-waits.ts'
export type { LiveWaits, UseWaitsOptions } from './use-waits.ts'

export type { ThreadWait } from '../activity/index.ts'
export { FoldedView, LatestRecords, RECORDS_KEPT_MAX } from './view.ts'
