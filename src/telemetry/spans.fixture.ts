import type { OtelApi, SpanPlace, SpanStart, SpanTracer, StartedSpan } from './otel.ts'
import type { SpanIds } from './span-ids.ts'

/** A span as a tracer has got it. */
export interface SentSpan extends SpanStart {
  readonly name: string
  readonly place: SpanPlace
  readonly parent: string | undefined
  readonly status?: number
  readonly endTime?: readonly [number, number]
}

/** An API of OpenTelemetry that keeps the spans of its tracer, in the order in which they began. */
export function recordingOtel(ids?: SpanIds) {
  const sent: SentSpan[] = []
  const places = new Map<StartedSpan, SpanPlace>()
  const tracer: SpanTracer = {
    startSpan(name, options, context) {
      const above = context as StartedSpan | undefined
      const parent = above && places.get(above)
      const place = {
        traceId: parent?.traceId ?? ids?.generateTraceId() ?? `t${sent.length}`,
        spanId: ids?.generateSpanId() ?? `s${sent.length}`,
        traceFlags: 1,
      }
      const at = sent.push({ ...options, name, place, parent: parent?.spanId }) - 1
      const change = (more: Partial<SentSpan>): void => {
        const before = sent[at]
        if (before) sent[at] = { ...before, ...more }
      }
      const span: StartedSpan = {
        spanContext: () => place,
        setStatus: ({ code }) => change({ status: code }),
        end: (endTime) => change({ endTime }),
      }
      places.set(span, place)
      return span
    },
  }
  const api: OtelApi = {
    ROOT_CONTEXT: undefined,
    trace: { getTracer: () => tracer, setSpan: (_context, span) => span },
  }
  return { api, sent }
}

/** The names of spans, each indented below its parent. */
export function outline(sent: readonly SentSpan[]): readonly string[] {
  const depthOf = ({ parent }: SentSpan): number => {
    const above = sent.find(({ place }) => place.spanId === parent)
    return above ? depthOf(above) + 1 : 0
  }
  return sent.map((span) => `${'  '.repeat(depthOf(span))}${span.name}`)
}
