/**
 * Encodings of the log for its readers: records go in, frames come out, as far as a view lets its
 * reader see. A face must never know who is asking, nor how a frame reaches its reader.
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
export { RETRY_MS } from './own-frames.ts'
export { recordsFace } from './records-face.ts'
export { THREAD_FACES } from './registry.ts'
export type { View } from './view.ts'
