/**
 * Hooks for pages over a thread.
 *
 * @module
 */
export {
  ThreadRequests,
  newId,
  useAgentThread,
  useAguiThread,
  useSend,
  useServedAgents,
  useThread,
  useWaits,
} from '../react/index.ts'
export type {
  AgentThreadSnapshot,
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
  UseWaitsOptions,
} from '../react/index.ts'
