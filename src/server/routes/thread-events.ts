import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { THREAD_FACES } from '../../faces/index.ts'
import type { Face, Subject } from '../../faces/index.ts'
import type { EventLog } from '../../log/index.ts'
import type { Access, Entrant } from '../access/access.ts'
import { cursorOf, epochOf, wholeNumber } from '../streams/cursor.ts'
import type { EventStreams, ThreadHistory } from '../streams/event-stream.ts'
import { jsonList } from './json-list.ts'
import { ProblemError } from '../problems/problem.ts'
import type { Quotas } from '../access/quotas.ts'
import { answerStream } from '../streams/stream-answer.ts'

export const RECORDS_DEFAULT = 1_000
export const RECORDS_MAX = 10_000

export interface ThreadEventsParts {
  readonly log: EventLog
  readonly access: Pick<Access, 'untilEnded'>
  readonly quotas: Pick<Quotas, 'holdStream' | 'read'>
  readonly streams: EventStreams
}

interface Asked {
  readonly entrant: Entrant
  readonly history: ThreadHistory
}

/** Answers with a thread's events in the face that the request names, as a stream or as a list. */
export async function threadEvents(
  context: Context<{ Bindings: HttpBindings }>,
  { log, access, quotas, streams }: ThreadEventsParts,
  { entrant, history, ...subject }: Subject & Asked,
): Promise<Response> {
  const after = cursorOf(context)
  const face = faceOf(context)
  const reading = face.reading({
    wholeNumber: (name, bounds) => wholeNumber(context, name, bounds),
  })
  // To HEAD a stream would be an answer that never ends.
  const { method } = context.req
  if (method === 'GET' && context.req.header('accept')?.includes('text/event-stream')) {
    const epoch = epochOf(context)
    const at = { after, history, ...(epoch === undefined ? {} : { epoch }) }
    const shown = { ...subject, face, reading, ...at }
    return answerStream(context, async (sink) => {
      sink.onceClosed(quotas.holdStream(entrant))
      await streams.open(sink, { ...shown, until: await access.untilEnded(entrant, sink) })
    })
  }
  const limit = wholeNumber(context, 'limit', { min: 1, max: RECORDS_MAX }) ?? RECORDS_DEFAULT
  const list = await quotas.read(entrant, () =>
    reading.list(subject, { log, epoch: history.epoch, after, limit }),
  )
  return jsonList(context, list)
}

function faceOf(context: Context): Face {
  const [byDefault] = THREAD_FACES
  const name = context.req.query('view') ?? byDefault?.name
  const face = THREAD_FACES.find((each) => each.name === name)
  if (face) return face
  const known = THREAD_FACES.map((each) => `"${each.name}"`).join(' or ')
  const detail = `Cannot show the view "${name}": use ${known}`
  throw new ProblemError('invalid_query', 400, { detail })
}
