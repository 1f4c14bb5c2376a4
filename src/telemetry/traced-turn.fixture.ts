/** A program with the SDK of OpenTelemetry: prints the spans of one turn as JSON. */
import { isSpanContextValid } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { setTimeout as pause } from 'node:timers/promises'
import { defineAgent } from '../agents/index.ts'
import { scriptedModel } from '../models/index.ts'
import { open } from '../open.ts'
import { SpanIds, telemetry } from './index.ts'

const SPANS_MIN = 5

const ids = new SpanIds()
const exporter = new InMemorySpanExporter()
const spanProcessors = [new SimpleSpanProcessor(exporter)]
const provider = new BasicTracerProvider({ idGenerator: ids, spanProcessors })
const archive = defineAgent({ name: 'archive', model: scriptedModel(() => 'Paid in May.') })
const desk = defineAgent({
  name: 'desk',
  agents: [archive],
  model: scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'It was paid in May.'
      : { toolCalls: [{ name: 'call_archive', input: { message: 'When?' } }] },
  ),
})
const tl = await open({ store: 'memory:', agents: [desk] })
const spans = await telemetry(tl, { tracer: provider.getTracer('test'), ids })
await tl.turn('t', { agent: 'desk', input: 'When was it paid?' }).result
while (exporter.getFinishedSpans().length < SPANS_MIN) await pause(10)
const finished = exporter.getFinishedSpans()
const byId = new Map(finished.map((span) => [span.spanContext().spanId, span]))
const told = finished.map((span) => ({
  name: span.name,
  parent: byId.get(span.parentSpanContext?.spanId ?? '')?.name ?? null,
  trace: span.spanContext().traceId,
  isValid: isSpanContextValid(span.spanContext()),
  isInOrder: span.duration[0] >= 0,
}))
process.stdout.write(JSON.stringify(told))
await spans.close()
await tl.close()
