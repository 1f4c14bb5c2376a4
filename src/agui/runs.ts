import type { LogRecord } from '../log/index.ts'
import { textOf } from './agent-event.ts'

/** A run that has started and not ended, with the messages it left open. */
export interface OpenRun {
  readonly runId: string
  readonly agent: string
  readonly surface: string
  readonly openMessages: readonly string[]
}

/** Folds run and text records into the runs that are still open. Pure. */
export function foldOpenRuns(
  open: readonly OpenRun[],
  records: Iterable<LogRecord>,
): readonly OpenRun[] {
  for (const record of records) open = foldOne(open, record)
  return open
}

function foldOne(open: readonly OpenRun[], record: LogRecord): readonly OpenRun[] {
  switch (record.type) {
    case 'RUN_STARTED':
      return [...open, started(record)]
    case 'RUN_FINISHED':
    case 'RUN_ERROR':
      return open.filter((run) => run.runId !== record.origin.run)
    case 'TEXT_MESSAGE_START':
      return withMessages(open, record, (messages, id) => [...messages, id])
    case 'TEXT_MESSAGE_END':
      return withMessages(open, record, (messages, id) => messages.filter((other) => other !== id))
    default:
      return open
  }
}

function started(record: LogRecord): OpenRun {
  const { agent = '', surface = '' } = record.origin
  return { runId: textOf(record.data, 'runId'), agent, surface, openMessages: [] }
}

function withMessages(
  open: readonly OpenRun[],
  record: LogRecord,
  change: (messages: readonly string[], id: string) => readonly string[],
): readonly OpenRun[] {
  const id = textOf(record.data, 'messageId')
  return open.map((run) =>
    run.runId === record.origin.run ? { ...run, openMessages: change(run.openMessages, id) } : run,
  )
}
