/**
 * Encodings of the log for its readers: records go in, frames come out, as far as the view of
 * the reader shows them. A face must never know tokens, connections or HTTP.
 *
 * @module
 */
export type {
  Face,
  FaceQuery,
  FrameWriter,
  Reading,
  RunWriter,
  StreamFace,
  Subject,
} from './face.ts'
export { contentText } from './agui/content-text.ts'
export type { AguiLoss } from './agui/downgrade.ts'
export { AguiError, framePosition, frameText, preludeFrames, recordFrames } from './agui/frame.ts'
export type { AguiFrame, FramePosition } from './agui/frame.ts'
export { joinStream } from './agui/join-stream.ts'

export { OpeningMessages } from './agui/opening.ts'
export { preludeOf } from './agui/prelude.ts'
export { aguiFace } from './agui/run-writer.ts'
export type { AguiStreamOptions } from './agui/run-writer.ts'
export { tanstackHistory } from './agui/tanstack-history.ts'
export { ThreadEncoder } from './agui/thread-encoder.ts'
export { turnStream } from './agui/turn-stream.ts'
export { endsTurn, startOf } from './turn-records.ts'

export type { AguiProtocol, WireEvent } from './agui/wire-event.ts'
export { callerFace } from './caller-face.ts'
export { RETRY_MS, namedFrame, stateChange, stateFrame } from './own-frames.ts'
export type { ShownState } from './own-frames.ts'
export { Provenance } from './provenance.ts'
export { recordsFace } from './records-face.ts'
export { THREAD_FACES } from './registry.ts'
export { uiHistory } from './ui-messages/ui-history.ts'
export { uiFace, uiStream } from './ui-messages/ui-stream.ts'
export { StateChanges } from './state-changes.ts'
export { SEARCH_TEXT_RECORDS_MAX, TextSearch } from './text-search.ts'
export type { Found } from './text-search.ts'
export type { FollowedState, View } from './view.ts'
