import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { EventStreams, answerStream, cursorOf, epochOf } from 'throughline/server/extend'
import { TEAM_THREAD } from '../events/index.ts'
import { flatFace } from './flat-face.ts'
import type { TeamRouteParts } from './route-parts.ts'

export const HEARTBEAT_MS = 5_000
/** Records that a reader gets who names no position; with a window, no reader gets more. */
export const EVENTS_BACK_MAX = 2_000

/** The team's events as a stream, from a position that the reader names. Returns what ends all streams. */
export function mountEvents(app: Hono, parts: TeamRouteParts): () => void {
  const { log, access, quotas, opened, team, onFault, heartbeatMs = HEARTBEAT_MS } = parts
  const streams = new EventStreams(log, { failed: onFault, heartbeatMs })
  const face = flatFace(() => team.health.sessionId)
  app.get('/api/events', async (context: Context<{ Bindings: HttpBindings }>) => {
    const entrant = await access.entrantIn(context, {
      thread: TEAM_THREAD,
      owner: opened,
      among: [],
    })
    const after = await startOf(context, parts)
    const epoch = epochOf(context)
    const noNumbers = { wholeNumber: () => undefined }
    const reading = face.reading(noNumbers)
    const subject = { thread: TEAM_THREAD, view: opened.view(entrant.role), face, reading, after }
    return answerStream(context, async (sink) => {
      sink.onceClosed(quotas.holdStream(entrant))
      const until = await access.untilEnded(entrant, sink)
      await streams.open(sink, { ...subject, until, ...(epoch === undefined ? {} : { epoch }) })
    })
  })
  return () => streams.close()
}

async function startOf(context: Context, { log, served }: TeamRouteParts): Promise<number> {
  const isNamed =
    context.req.query('after') !== undefined || context.req.header('last-event-id') !== undefined
  const after = cursorOf(context)
  if (isNamed && served === 'all') return after
  return Math.max(after, (await log.head(TEAM_THREAD)) - EVENTS_BACK_MAX)
}
