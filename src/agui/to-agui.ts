import { OpeningMessages, ThreadEncoder, recordFrames } from '../faces/index.ts'
import type { AguiFrame, View } from '../faces/index.ts'
import type { LogRecord } from '../log/index.ts'
import { appView } from './app-view.ts'
import type { AguiOptions } from './app-view.ts'

/**
 * Encodes the records of a thread, from its first one on, as AG-UI events: each turn is one run.
 *
 * @throws {@link ApplicationError} `unknown_role`
 * @example
 * for (const { event } of toAgui(records, { app, role: 'responder' })) send(event)
 */
export function* toAgui<State>(
  records: readonly LogRecord[],
  options: AguiOptions<State> = {},
): Generator<AguiFrame> {
  const view = appView(options)
  const encoder = new ThreadEncoder({ view, includes: () => true })
  if (view.state) encoder.follow(view.state)
  for (const [at, record] of records.entries()) {
    const opening = encoder.beginsTurn(record)
      ? { messages: newMessages(records, at, view) }
      : undefined
    yield* recordFrames(record.seq, encoder.take(record, opening))
  }
}

function newMessages(records: readonly LogRecord[], at: number, view: Pick<View, 'record'>) {
  const started = records[at]
  if (!started) return []
  const opening = new OpeningMessages(started, view)
  for (let next = at + 1; next < records.length; next++) {
    const record = records[next]
    if (!record || !opening.take(record)) break
  }
  return opening.messages
}
