import type { EventLog, LogRecord } from 'throughline/log'
import { customValue } from '../../src/activity/index.ts'
import { brokenRules } from '../../src/activity/wire-rules.fixture.ts'
import { schemaFaults, wireEvents } from '../../src/activity/wire-schema.fixture.ts'
import { membersOf, textOf } from '../../src/json/index.ts'
import { recordsOf } from '../../src/storage/sqlite-folder.fixture.ts'
import { THREAD, TURN } from '../programs/errand-turn.fixture.ts'
import { runFaults } from './crash-points.fixture.ts'

/**
 * Returns the answer that the key must give after a crash, read off the records that the crash left. It is
 * written from the table of crash points, not from the engine, so that the two can disagree.
 */
export function expectedAnswer(
  records: readonly LogRecord[],
  isCancelled: boolean,
): 'success' | 'cancelled' | 'error' {
  const turn = records.filter(({ origin }) => origin.turn === TURN)
  const last = turn.slice(turn.findLastIndex(({ type }) => type === 'RUN_STARTED'))
  const finished = last.find(({ type }) => type === 'RUN_FINISHED')
  if (finished) return outcomeOf(finished) === 'cancelled' ? 'cancelled' : 'success'
  const isOpen = last.every(({ type }) => type !== 'RUN_ERROR')
  if (isOpen && last.some((each) => customValue(each, 'cancel_requested'))) return 'cancelled'
  if (isOpen && last.some(settles)) return 'success'
  if (turn.some(stands)) return 'error'
  return isCancelled ? 'cancelled' : 'success'
}

/** A model call whose tools may have run, or a proposal of the model that was accepted. */
function stands(record: LogRecord): boolean {
  const calls = membersOf(customValue(record, 'model_output') ?? null)['toolCalls']
  return record.type === 'remark' || (Array.isArray(calls) && calls.length > 0)
}

function settles({ type, data, origin }: LogRecord): boolean {
  return type === 'STEP_FINISHED' && origin.depth === 0 && JSON.stringify(data).includes('settles')
}

function outcomeOf({ data }: LogRecord): string {
  return textOf(membersOf(data)['outcome'] ?? null, 'type')
}

/** Returns the faults of the log and of the calls, after the turn and the next one have ended. */
export async function errandFaults(
  log: EventLog,
  world: readonly string[],
): Promise<readonly string[]> {
  const records = await recordsOf(log, THREAD)
  const events = wireEvents(records)
  const faults = [
    ...runFaults(records),
    ...shallowFirst(records),
    ...events.flatMap(schemaFaults),
    ...brokenRules(events),
    ...world.filter((line) => line.startsWith('fault')),
    ...(await lostOf(log, world)),
  ]
  if (!(await log.verify(THREAD)).ok) faults.push('it does not verify')
  for (const [name, isOne] of Object.entries(ONCE)) {
    const count = records.filter(isOne).length
    if (count !== 1) faults.push(`${count} × ${name}`)
  }
  if (records.filter(({ type }) => type === 'remark').length > 1) faults.push('remarked twice')
  for (const who of ['till', 'store']) {
    if (linesOf(world, who).length > 1) faults.push(`the ${who} was called twice`)
  }
  for (const who of ['pager', 'post']) {
    const keys = new Set(linesOf(world, who))
    if (keys.size !== 1) faults.push(`the ${who} saw ${keys.size} keys`)
  }
  return faults
}

const isOfPerson = ({ origin }: LogRecord): boolean => origin.source === 'ui'
const isEvent =
  (name: string, effect?: string) =>
  ({ type, data }: LogRecord): boolean =>
    type === name && (effect === undefined || textOf(data, 'effect') === effect)

/** Records that the log holds once, however often the turn was killed. */
const ONCE: Readonly<Record<string, (record: LogRecord) => boolean>> = {
  message: (record) =>
    record.type === 'TEXT_MESSAGE_CONTENT' &&
    isOfPerson(record) &&
    textOf(record.data, 'delta') === 'Go on',
  click: isEvent('ask'),
  note: (record) => JSON.stringify(customValue(record, 'note') ?? '').includes('ask'),
  deadline: isEvent('rung'),
  submission: isEvent('submit'),
  'request for the page': isEvent('effect_requested', 'page'),
  'outcome of the page': isEvent('paged'),
  'request for the letter': isEvent('effect_requested', 'send'),
  'outcome of the letter': isEvent('sent'),
}

function linesOf(world: readonly string[], who: string): readonly string[] {
  return world.filter((line) => line.startsWith(`${who} `))
}

/** The runs that ended while a run below them was open. */
function shallowFirst(records: readonly LogRecord[]): readonly string[] {
  const open = new Map<string, string>()
  const faults: string[] = []
  for (const { type, origin } of records) {
    const run = origin.run ?? ''
    if (type === 'SUBAGENT_STARTED') open.set(run, origin.parentRun ?? '')
    if (/^(RUN|SUBAGENT)_(FINISHED|ERROR)$/.test(type)) {
      open.delete(run)
      if ([...open.values()].includes(run)) faults.push(`${run} ended before a run below it`)
    }
  }
  return faults
}

/** Records that were acknowledged and are not in the log, or not where they were. */
async function lostOf(log: EventLog, world: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = []
  for (const line of linesOf(world, 'held')) {
    const [, seq, id = '', thread = ''] = line.split(' ')
    if (String((await log.find(thread, id))?.seq) !== seq) lost.push(`lost: ${line}`)
  }
  return lost
}
