import type { Context } from 'hono'
import { AguiError, framePosition } from '../../faces/index.ts'
import type { EventLog } from '../../log/index.ts'
import { ProblemError } from '../problems/problem.ts'
import type { Cursor } from './client-turns.ts'

/** The frame after which the reader goes on, when it names one that this thread can have sent. */
export async function frameCursor(
  context: Context,
  { thread, log }: { readonly thread: string; readonly log: Pick<EventLog, 'head'> },
): Promise<Cursor | undefined> {
  const id = context.req.header('last-event-id')
  if (id === undefined) return undefined
  const head = await log.head(thread)
  return refusing(async () => ({ ...framePosition(id, head), id }))
}

/** @throws {@link ProblemError} `invalid_cursor` when the run has no frame at a reader's position */
export async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AguiError)) throw error
    throw new ProblemError('invalid_cursor', 400, { detail: error.message })
  }
}
