import { NewestMap } from '../thread/index.ts'
import type { OtelApi, SpanPlace, SpanTime, SpanTracer, StartedSpan } from './otel.ts'
import type { SpanDraft, SpanTree } from './span-draft.ts'
import { placeOf } from './span-ids.ts'
import type { SpanIds } from './span-ids.ts'

/** Runs whose place is kept for the links of those that go on with them. */
export const SPAN_LINKS_MAX = 10_000

/** `SpanKind` and `SpanStatusCode` of the API. */
const KIND = { internal: 0, client: 2 } as const
const STATUS_ERROR = 2

export interface SpanSenderParts {
  readonly api: OtelApi
  readonly tracer: SpanTracer
  readonly ids: SpanIds | undefined
}

/** Hands spans to a tracer. */
export class SpanSender {
  readonly #parts: SpanSenderParts
  readonly #places = new NewestMap<SpanPlace>(SPAN_LINKS_MAX)

  constructor(parts: SpanSenderParts) {
    this.#parts = parts
  }

  send({ root, spans, follows }: SpanTree): void {
    const started = new Map<SpanDraft, StartedSpan>()
    for (const draft of spans) {
      const links = draft === root ? this.#linksTo(follows) : []
      started.set(draft, this.#start(draft, root, { links, started }))
    }
    for (const draft of spans.toReversed()) started.get(draft)?.end(timeOf(draft.endedAt))
    const place = started.get(root)?.spanContext()
    if (place) this.#places.set(root.hash, place)
  }

  #start(
    draft: SpanDraft,
    root: SpanDraft,
    place: {
      readonly links: { context: SpanPlace }[]
      readonly started: ReadonlyMap<SpanDraft, StartedSpan>
    },
  ): StartedSpan {
    const { api, tracer, ids } = this.#parts
    const { name, kind, hash, parent, error } = draft
    const above = place.started.get(parent ?? root)
    const context = above ? api.trace.setSpan(api.ROOT_CONTEXT, above) : api.ROOT_CONTEXT
    const attributes = attributesOf(draft)
    const options = { kind: KIND[kind], startTime: timeOf(draft.startedAt), attributes }
    const start = (): StartedSpan =>
      tracer.startSpan(name, { ...options, links: place.links }, context)
    const span = ids ? ids.during(placeOf(root.hash, hash), start) : start()
    if (error !== undefined) span.setStatus({ code: STATUS_ERROR })
    return span
  }

  #linksTo(follows: string | undefined): { context: SpanPlace }[] {
    if (follows === undefined) return []
    const context = this.#places.get(follows) ?? (this.#parts.ids && placeOf(follows))
    return context ? [{ context }] : []
  }
}

function attributesOf({
  attributes,
  error,
}: SpanDraft): Record<string, string | number | string[]> {
  const all = error === undefined ? attributes : { ...attributes, 'error.type': error }
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]),
  )
}

function timeOf(ms: number = 0): SpanTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000]
}
