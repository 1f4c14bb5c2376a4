import { randomBytes } from '../platform/index.ts'
import type { SpanPlace } from './otel.ts'

const TRACE_ID_CHARS = 32
const SPAN_ID_CHARS = 16
const SAMPLED = 1

/** Where a span of a record lies: its trace has the name of the root's record. */
export function placeOf(root: string, hash: string = root): SpanPlace {
  const traceId = root.slice(0, TRACE_ID_CHARS)
  return { traceId, spanId: hash.slice(0, SPAN_ID_CHARS), traceFlags: SAMPLED }
}

/**
 * Makes the ids of spans from the hashes of their records, so that spans that are sent again are the same ones. Give
 * it to the provider as `idGenerator` and to {@link telemetry} as `ids`. Spans of other tracers get ids by chance.
 */
export class SpanIds {
  #next: SpanPlace | undefined

  readonly generateTraceId = (): string => this.#next?.traceId ?? randomHex(TRACE_ID_CHARS)

  readonly generateSpanId = (): string => this.#next?.spanId ?? randomHex(SPAN_ID_CHARS)

  /** Makes the ids of the span that `start` starts. */
  during<Started>(place: SpanPlace, start: () => Started): Started {
    this.#next = place
    try {
      return start()
    } finally {
      this.#next = undefined
    }
  }
}

function randomHex(chars: number): string {
  const bytes = randomBytes(chars / 2)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
