import type { Hono } from 'hono'
import { gauge } from './counter.ts'
import { RecordCounts } from './record-counts.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

export const METRICS_ROUTES: RouteDescriptions = {
  'GET /metrics': {
    summary: 'What the operator watches of this process, for Prometheus',
    answers: ['text/plain'],
  },
}

/** Serves metrics to the operator. Returns a function that ends the counting. */
export function mountMetrics(
  app: Hono,
  { throughline, access, streams }: Pick<RouteParts, 'throughline' | 'access' | 'streams'>,
): () => void {
  const counts = new RecordCounts()
  app.get('/metrics', async (context) => {
    await access.requireOperator(context)
    const { load, unrecorded } = throughline
    const lines = [
      ...counts.lines,
      ...gauge('throughline_open_streams', 'Streams that are open.', streams.size),
      ...gauge(
        'throughline_feed_lag_seconds',
        'How long threads that have grown have waited to be looked at.',
        load.feedLagMs / 1_000,
      ),
      ...gauge(
        'throughline_due_work_threads',
        'Threads whose effects or deadlines are due or at work.',
        load.dueThreads,
      ),
      ...gauge(
        'throughline_timed_work_threads',
        'Threads whose effects or deadlines wait for their time.',
        load.timedThreads,
      ),
      ...gauge(
        'throughline_unrecorded_commits',
        'Commits that the store refuses for now and that are tried again.',
        unrecorded,
      ),
    ]
    return context.body(`${lines.join('\n')}\n`, 200, { 'content-type': TEXT })
  })
  return throughline.appends.add(counts.take)
}
