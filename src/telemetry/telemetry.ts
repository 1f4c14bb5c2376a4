import { ThroughlineError } from '../assert/index.ts'
import { consume } from '../consumers/index.ts'
import type { ConsumedLog, ConsumeOptions, Consumer } from '../consumers/index.ts'
import { systemClock } from '../due-work/index.ts'
import { unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import { loadOtel } from './otel.ts'
import type { OtelApi, SpanTracer } from './otel.ts'
import { SentUntil } from './sent-until.ts'
import type { SpanIds } from './span-ids.ts'
import { SpanSender } from './span-sender.ts'
import { ThreadReader } from './thread-reader.ts'

const CONSUMER = 'throughline.spans'

export interface TelemetryOptions extends Pick<ConsumeOptions, 'onFault' | 'clock'> {
  /** `throughline` of the global provider by default. */
  readonly tracer?: SpanTracer
  /** The provider's `idGenerator`: spans that are sent again then have the ids that they had. */
  readonly ids?: SpanIds
  /** Resolves once the provider has exported: its `forceFlush`. Without it a crash loses what the provider holds. */
  readonly flush?: () => Promise<unknown>
  /** Records what people, models and tools say. It is personal data: by default no span holds any. */
  readonly words?: boolean
  /** The first start sends runs that ended from this time on, in milliseconds since the epoch; now by default. */
  readonly since?: number
}

const PARTS: KnownMembers<TelemetryOptions> = {
  tracer: true,
  ids: true,
  flush: true,
  words: true,
  since: true,
  onFault: true,
  clock: true,
}

/**
 * Sends each run of an agent, once it has ended, as spans of OpenTelemetry, read from the log: one process at a time
 * sends, and the next one goes on where it stopped. At least once. It needs the package `@opentelemetry/api`.
 *
 * @throws {@link ThroughlineError} `otel_not_installed`, `invalid_telemetry`
 * @example
 * const spans = await telemetry(tl, { flush: () => provider.forceFlush() })
 * process.once('SIGTERM', () => spans.close().then(() => tl.close()))
 */
export async function telemetry(
  tl: ConsumedLog,
  options: TelemetryOptions = {},
): Promise<Consumer> {
  const unknown = unknownMember(options, PARTS)
  if (unknown !== undefined) {
    throw new ThroughlineError('invalid_telemetry', `Cannot trace: ${unknown}`)
  }
  return sendSpans(tl, options, await loadOtel())
}

/** The same with the API that was loaded. */
export async function sendSpans(
  { log, cursors }: ConsumedLog,
  options: TelemetryOptions,
  api: OtelApi,
): Promise<Consumer> {
  const { ids, words = false, onFault, clock = systemClock } = options
  const { now } = clock
  const { tracer = api.trace.getTracer('throughline'), since = now() } = options
  const sent = await SentUntil.load({ name: `${CONSUMER}.sent`, cursors, now }, since)
  const reader = new ThreadReader({
    log,
    sent,
    words,
    sender: new SpanSender({ api, tracer, ids }),
    flush: options.flush ?? (() => Promise.resolve()),
  })
  const look: ConsumeOptions['look'] = (thread, context) => reader.read(thread, context)
  const terms = { name: CONSUMER, look, clock, ...(onFault && { onFault }) }
  return consume({ log, cursors }, terms)
}
