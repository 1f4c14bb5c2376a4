/**
 * Hooks for pages over a thread.
 *
 * @module
 */
export {
  Clicks,
  ThreadRequests,
  newId,
  useAgentThread,
  useAguiThread,
  useClientTools,
  useSend,
  useServedAgents,
  useThread,
  useThreads,
  useWaits,
} from '../react/index.ts'
export type {
  AgentThreadSnapshot,
  ClientToolRunners,
  ListedThreads,
  LiveAgentThread,
  LiveAguiThread,
  LiveRecords,
  LiveState,
  LiveWaits,
  PendingRequest,
  SendResult,
  SendState,
  ServedAgents,
  ThreadPlace,
  ThreadRequest,
  ThreadSnapshot,
  ThreadWait,
  UseAgentThreadOptions,
  UseAguiThreadOptions,
  UseSendOptions,
  UseThreadOptions,
  UseThreadRecordsOptions,
  UseThreadStateOptions,
  UseThreadsOptions,
  UseWaitsOptions,
} from '../react/index.ts'
