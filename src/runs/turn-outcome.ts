import {
  CallerView,
  NO_USAGE_REPORT,
  endsRun,
  foldUsage,
  startsRun,
  textOf,
} from '../agui/index.ts'
import type { CallerEvent } from '../agui/index.ts'
import type { Gate } from '../gate/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { endsTurn } from './agent-turn.ts'
import type { AgentResult } from './agent-turn.ts'

export interface TurnOutcomeParts<State> {
  readonly log: EventLog
  readonly gate: Gate<State>
  readonly thread: string
  readonly run: string
}

/** Reads what a turn came to off its records, so a turn that is asked for twice answers twice. */
export async function resultOf<State>(
  { log, gate, thread, run }: TurnOutcomeParts<State>,
  from: number,
): Promise<AgentResult<State>> {
  const records: LogRecord[] = []
  const view = new CallerView()
  let end: CallerEvent | undefined
  for await (const batch of log.read(thread, { after: from - 1 })) {
    for (const record of batch) {
      if (end || record.origin.turn !== run) continue
      records.push(record)
      if (mayEnd(record)) end = view.take(record).find(endsTurn)
    }
  }
  const { state } = await gate.snapshot(thread)
  const usage = foldUsage(NO_USAGE_REPORT, records)
  return { run, text: textIn(records), state, usage, waits: [], ...endingOf(end) }
}

/** Whether a record ends the turn, or is one that its end refers to: what was asked in which run. */
function mayEnd(record: LogRecord): boolean {
  return record.type === 'CUSTOM' || startsRun(record) || endsRun(record)
}

function endingOf(
  end: CallerEvent | undefined,
): Pick<AgentResult<never>, 'reason' | 'error'> &
  Partial<Pick<AgentResult<never>, 'text' | 'waits'>> {
  if (end?.type === 'turn_cancelled') return { reason: 'cancelled' }
  if (end?.type === 'wait_for_input') return { reason: 'interrupt', waits: end.waits }
  if (end?.type === 'turn_end') {
    const { reason, error } = end
    return {
      reason: reason === 'error' || reason === 'limit' ? reason : 'success',
      ...(error ? { error } : {}),
    }
  }
  return {
    reason: 'error',
    error: { code: 'interrupted', message: 'The turn has no end on record' },
  }
}

/** What was said last at depth 0. */
function textIn(records: readonly LogRecord[]): string {
  const said = records.filter(
    ({ type, origin }) =>
      type === 'TEXT_MESSAGE_CONTENT' && origin.depth === 0 && origin.source === 'model',
  )
  const last = said.at(-1)
  const id = last && textOf(last.data, 'messageId')
  return said
    .filter(({ data }) => textOf(data, 'messageId') === id)
    .map(({ data }) => textOf(data, 'delta'))
    .join('')
}
