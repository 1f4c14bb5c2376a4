import type { z } from 'zod'

/** What the description of the API says of one route, besides its place. */
export interface RouteDescription {
  readonly summary: string
  /** The schema that reads the body. */
  readonly body?: z.ZodType
  /** A request may come without its body. */
  readonly isBodyOptional?: true
  /** The names that it reads off the query: texts, or whole numbers within bounds. */
  readonly query?: Readonly<Record<string, 'text' | Bounds>>
  /** The status of an answer that is no problem; 200 by default. */
  readonly status?: number
  /** The media types of that answer; JSON by default. */
  readonly answers?: readonly string[]
}

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** By the method and the path, such as `GET /api/threads/:id/state`. */
export type RouteDescriptions = Readonly<Record<string, RouteDescription>>

/** A position in a thread, whose end a request may not pass. */
export const POSITION: Bounds = { min: 0, max: Number.MAX_SAFE_INTEGER }
export const STREAM = 'text/event-stream'
export const JSON_TYPE = 'application/json'
