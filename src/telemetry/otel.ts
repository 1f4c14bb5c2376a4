import { ThroughlineError } from '../assert/index.ts'

const NAME: string = '@opentelemetry/api'

/** Seconds and nanoseconds: a number may be read as the time since the process began. */
export type SpanTime = [seconds: number, nanoseconds: number]

export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

export interface SpanStart {
  readonly kind: number
  readonly startTime: SpanTime
  readonly attributes: Record<string, string | number | string[]>
  readonly links: { readonly context: SpanPlace }[]
}

export interface StartedSpan {
  spanContext(): SpanPlace
  setStatus(status: { readonly code: number }): unknown
  end(endTime: SpanTime): void
}

/** A tracer of OpenTelemetry, as far as spans need it. */
export interface SpanTracer {
  startSpan(name: string, options: SpanStart, context: unknown): StartedSpan
}

/** `@opentelemetry/api`, as far as spans need it: its declarations are not there for those who do not install it. */
export interface OtelApi {
  readonly ROOT_CONTEXT: unknown
  readonly trace: {
    getTracer(name: string): SpanTracer
    setSpan(context: unknown, span: StartedSpan): unknown
  }
}

/** Loaded only for spans: it is an optional peer. */
export async function loadOtel(): Promise<OtelApi> {
  try {
    return (await import(NAME)) as OtelApi
  } catch (cause) {
    const message = `Cannot trace: the package "${NAME}" is not installed; run \`npm install ${NAME}\``
    throw new ThroughlineError('otel_not_installed', message, { cause })
  }
}
