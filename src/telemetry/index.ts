/**
 * Spans of OpenTelemetry, read from the log after a run has ended.
 *
 * Invariant: a span is read off records alone, so that a crash loses none and reading them again gives the same ones.
 * Without `words` no span holds what people, models or tools say. It must never know HTTP or who writes the log.
 *
 * @module
 */
export { SpanIds } from './span-ids.ts'
export type { SpanTracer } from './otel.ts'
export { telemetry } from './telemetry.ts'
export type { TelemetryOptions } from './telemetry.ts'
