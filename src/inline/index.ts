/**
 * Events out of an agent's text while it streams: tags anywhere in prose, markers on lines of their
 * own. However the text is cut into chunks, prose and events come out the same, nothing that was taken
 * out is shown, and what could not be read is reported. It must never know what an event means.
 *
 * @module
 */
export { AgentStreamParser, stripEventTags } from './agent-stream-parser.ts'
export { TAG_ATTRIBUTES_MAX, TAG_TYPE_MAX } from './attributes.ts'
export { HELD_MAX } from './held.ts'
export type { DropReason, Dropped } from './held.ts'
export type { InlineResult } from './inline-output.ts'
export { JSON_DEPTH_MAX } from './json-dialects.ts'
export type { JsonObject } from './json-dialects.ts'
export type { Marker } from './marker-line.ts'
export { MarkerParser } from './marker-parser.ts'
export type { MarkerResult } from './marker-parser.ts'
export { LINE_BLANKS_MAX } from './prose.ts'
export type { InlineEvent } from './tag.ts'
export { TAG_START_MAX } from './tag-start.ts'
