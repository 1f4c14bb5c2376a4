/**
 * Encodings of the log for its readers: records go in, frames come out, as far as the view of
 * the reader shows them. A face must never know tokens, connections or HTTP.
 *
 * @module
 */
export type {
  Face,
  FaceList,
  FaceQuery,
  FrameWriter,
  ListPage,
  LogPlace,
  LostCursor,
  Reading,
  Subject,
} from './face.ts'
export { callerFace } from './caller-face.ts'
export { RETRY_MS, namedFrame } from './own-frames.ts'
export { recordsFace } from './records-face.ts'
export { stateChange, stateFrame } from './state-frames.ts'
export type { ShownState } from './state-frames.ts'
export { THREAD_FACES } from './registry.ts'
export type { View } from './view.ts'
