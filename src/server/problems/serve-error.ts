import { ThroughlineError } from '../../assert/index.ts'

export type ServeErrorCode =
  /** Anybody could act as the operator. */
  | 'open_to_all'
  /** A page of an origin that is to be allowed cannot have it. */
  | 'invalid_origin'
  /** An option has a value that it cannot have. */
  | 'invalid_option'
  /** `serve` and `routes` have no such option. */
  | 'unknown_option'
  /** The package that MCP is served with is missing. */
  | 'mcp_not_installed'
  /** Two agents would be the same tool of MCP. */
  | 'ambiguous_tool'
  /** A route of an extension would never be asked: one that was mounted before it answers. */
  | 'hidden_route'

/** Routes that cannot be served as they are set. */
export class ServeError extends ThroughlineError<ServeErrorCode> {
  override readonly name = 'ServeError'
}
