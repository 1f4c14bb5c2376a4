/**
 * Encodings of the log for its readers: records go in, frames come out, as far as a view lets its
 * reader see. A face must never know who is asking, nor how a frame reaches its reader.
 *
 * @module
 */
export { CallerReader } from './caller-frames.ts'
export { namedFrame, recordFrames } from './record-frames.ts'
export type { FrameWriter } from './record-frames.ts'
export type { View } from './view.ts'
