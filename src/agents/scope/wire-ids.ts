import { customEvent, customValue, turnOf } from '../../activity/index.ts'
import { stableId } from '../../gate/index.ts'
import { textOf } from '../../json/index.ts'
import type { EventLog, LogRecord, NewEvent, Origin } from '../../log/index.ts'

/** The id of a turn that a client started: the log finds its first record by the client's own run id. */
export function wireTurnId(thread: string, runId: string): string {
  return stableId(thread, 'wire', 'run', runId)
}

/** The id of a turn that goes on with answers: the same answers again find it. */
export function answeredTurnId(thread: string, digest: string): string {
  return stableId(thread, 'wire', 'answers', digest)
}

export function messageRecordId(thread: string, messageId: string): string {
  return stableId(thread, 'wire', 'message', messageId)
}

/** A turn as a client finds it. */
export interface FoundTurn {
  readonly turn: string
  /** Of the record that was found: the turn's first, or one of the same append. */
  readonly seq: number
}

/** The turn that a client knows by this run id, found by a record's id. */
export async function turnOfWire(
  log: Pick<EventLog, 'find'>,
  thread: string,
  runId: string,
): Promise<FoundTurn | undefined> {
  const record = await log.find(thread, wireTurnId(thread, runId))
  return record && { turn: namedTurn(record), seq: record.seq }
}

function namedTurn(record: LogRecord): string {
  const named = customValue(record, 'wire_run')
  return named === undefined ? turnOf(record) : textOf(named, 'turn')
}

/** Lets the client's run id find a turn whose id is made from something else. */
export async function wireRunRecords(
  log: Pick<EventLog, 'find'>,
  place: { readonly thread: string; readonly turn: string; readonly origin: Origin },
  runId: string | undefined,
): Promise<readonly NewEvent[]> {
  const { thread, turn, origin } = place
  if (runId === undefined) return []
  const id = wireTurnId(thread, runId)
  // A client may resume under the id of the run that was interrupted: that run keeps it.
  if (id === turn || (await log.find(thread, id))) return []
  return [{ ...customEvent('wire_run', { runId, turn }, origin), id }]
}
