/**
 * Events out of streaming text: tags and line markers.
 *
 * @module
 */
export { AgentStreamParser, MarkerParser, stripEventTags } from '../inline/index.ts'
export type {
  DropReason,
  Dropped,
  InlineEvent,
  InlineResult,
  Marker,
  MarkerResult,
} from '../inline/index.ts'
