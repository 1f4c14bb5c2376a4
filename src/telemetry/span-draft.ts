export type AttributeValue = string | number | readonly string[]

/** A span as it is read off the records of a run. */
export interface SpanDraft {
  /** The hash of the record that it is read off: the same each time that the log is read. */
  readonly hash: string
  name: string
  /** A call of a model leaves the process. */
  readonly kind: 'internal' | 'client'
  readonly parent: SpanDraft | undefined
  readonly attributes: Record<string, AttributeValue>
  /** Milliseconds since the epoch; `endedAt` once it has ended. */
  startedAt: number
  endedAt?: number
  /** The code of what failed. */
  error?: string
}

/** The spans of one run at depth 0 and of all below it, parents first. */
export interface SpanTree {
  readonly root: SpanDraft
  readonly spans: SpanDraft[]
  /** The hash of the root of the run that this one goes on with. */
  readonly follows: string | undefined
}

/** Spans of one tree; those beyond it are counted only. */
export const SPANS_MAX = 10_000

const LEFT_OUT = 'throughline.spans_left_out'

/** Adds a span while there is room for it; it is returned either way. */
export function addSpan({ root, spans }: SpanTree, span: SpanDraft): SpanDraft {
  if (spans.length < SPANS_MAX) spans.push(span)
  else root.attributes[LEFT_OUT] = Number(root.attributes[LEFT_OUT] ?? 0) + 1
  return span
}

export function removeSpan({ spans }: SpanTree, span: SpanDraft): void {
  const at = spans.lastIndexOf(span)
  if (at >= 0) spans.splice(at, 1)
}

/** The tree once its root has ended: calls that nothing ran for have no span. */
export function closedTree(tree: SpanTree, endedAt: number): SpanTree {
  const parents = new Set(tree.spans.map(({ parent }) => parent))
  const spans = tree.spans.filter((span) => span.endedAt !== undefined || parents.has(span))
  for (const span of spans) span.endedAt ??= endedAt
  return { ...tree, spans }
}
