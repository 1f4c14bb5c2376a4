/**
 * Applications over HTTP: on a listener of their own, or as routes of a server that exists.
 *
 * @module
 */
export { ProblemError, Tokens, routes, serve } from '../server/index.ts'
export type {
  Authenticate,
  Caller,
  Extension,
  ProblemCode,
  QuotaLimits,
  Routes,
  RoutesOptions,
  RunningServer,
  ServeErrorCode,
  ServeOptions,
} from '../server/index.ts'
