/**
 * AG-UI 1.0: the records of a thread as its events and messages, without a server, and a client of any AG-UI
 * agent.
 *
 * @module
 */
export { AguiThread, ThreadFold, aguiFetch } from '../agui-client/index.ts'
export type {
  AguiClientErrorCode,
  AguiFetchOptions,
  AguiThreadOptions,
  AguiThreadView,
  RunEnd as AguiRunEnd,
  RunRequest as AguiRunRequest,
  ThreadFoldOptions,
} from '../agui-client/index.ts'
export { joinPrelude, threadMessages, toAgui } from '../agui/index.ts'
export type { AguiOptions, JoinOptions, JoinPrelude } from '../agui/index.ts'
export { frameText } from '../faces/index.ts'
export type { AguiFrame, WireEvent } from '../faces/index.ts'
export { StreamVerifier, verifyRun } from '../wire/index.ts'
export type { VerifyOptions, WireErrorCode } from '../wire/index.ts'
