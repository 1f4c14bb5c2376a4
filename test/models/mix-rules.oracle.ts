import type { LogRecord } from 'throughline/log'
import { brokenRules } from '../../src/activity/wire-rules.fixture.ts'
import { schemaFaults, wireEvents } from '../../src/activity/wire-schema.fixture.ts'
import { membersOf, textOf } from 'throughline'
import type { MixTurn } from './any-mix.fixture.ts'

/** What holds on top of one end per run, once it is built. */
export interface MixRules {
  /** The log decides between a cancel and the run's own end. */
  readonly cancelsAreOrdered: boolean
  /** A run that ends without waiting has a result for each of its calls, after a crash too. */
  readonly callsAreAnswered: boolean
}

const STARTS: ReadonlySet<string> = new Set(['RUN_STARTED', 'SUBAGENT_STARTED'])
const ENDS: ReadonlySet<string> = new Set([
  'RUN_FINISHED',
  'RUN_ERROR',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
])

/** Returns the broken rules about runs in a thread's records. */
export function mixFaults(
  records: readonly LogRecord[],
  turns: readonly MixTurn[],
  rules: MixRules,
): readonly string[] {
  const events = wireEvents(records)
  return [
    ...runFaults(records),
    ...placeFaults(records),
    ...keyFaults(records, turns),
    ...turns.flatMap((turn) => resultFaults(records, turn)),
    ...submitFaults(records),
    ...(rules.cancelsAreOrdered ? cancelFaults(records) : []),
    ...(rules.callsAreAnswered ? callFaults(records) : []),
    ...brokenRules(events),
    ...events.flatMap(schemaFaults),
  ]
}

/** Each start has one end, deepest first, and nothing of a run lies outside it. */
function runFaults(records: readonly LogRecord[]): readonly string[] {
  const faults: string[] = []
  const open = new Map<string, string | undefined>()
  for (const record of records) {
    const { type, seq, origin } = record
    const { run, parentRun } = origin
    if (run === undefined) continue
    if (STARTS.has(type)) {
      if (open.has(run)) faults.push(`${seq}: run ${run} starts twice`)
      if (parentRun !== undefined && !open.has(parentRun)) {
        faults.push(`${seq}: run ${run} starts below a run that is not open`)
      }
      open.set(run, parentRun)
    } else if (!open.has(run)) faults.push(`${seq}: ${type} of run ${run}, which is not open`)
    if (!ENDS.has(type)) continue
    open.delete(run)
    if ([...open.values()].includes(run)) {
      faults.push(`${seq}: run ${run} ends before a run below it`)
    }
  }
  return [...faults, ...[...open.keys()].map((run) => `run ${run} never ends`)]
}

/** Every record of a run says its turn and its place in the tree. */
function placeFaults(records: readonly LogRecord[]): readonly string[] {
  return records.flatMap(({ seq, type, origin }) => {
    const { run, turn, agent, path = [], depth } = origin
    if (run === undefined) {
      const isFree = ['click', 'event_refused', 'CUSTOM'].includes(type) || origin.source === 'rule'
      return isFree ? [] : [`${seq}: ${type} is of no run`]
    }
    const isPlaced = turn !== undefined && path.length === depth + 1 && path.at(-1) === agent
    return isPlaced ? [] : [`${seq}: ${type} says turn ${turn}, path ${path.join('>')}`]
  })
}

/** A key runs once, and again only when nothing of a failed run stands. */
function keyFaults(records: readonly LogRecord[], turns: readonly MixTurn[]): readonly string[] {
  return [...new Set(turns.map(({ turn }) => turn.run))].flatMap((run) => {
    const own = records.filter(({ origin }) => origin.turn === run)
    const answered = turns.filter(({ turn, settled }) => {
      return turn.run === run && settled && 'result' in settled
    })
    const requests = new Set(answered.map(({ request }) => withoutEvents(request)))
    const several = requests.size > 1 ? [`${run} answers ${[...requests].join(' and ')}`] : []
    return [...several, ...own.flatMap((_, at) => againFaults(own, at))]
  })
}

/** Whether a turn runs again at one of its records although an earlier run of it counts. */
function againFaults(own: readonly LogRecord[], at: number): readonly string[] {
  const record = own[at]
  const before = own.slice(0, at)
  const ended = before.findLast(({ type, origin }) => ENDS.has(type) && origin.depth === 0)
  if (record?.type !== 'RUN_STARTED' || !ended || isHandOff(ended)) return []
  const { seq, origin } = record
  return ended.type !== 'RUN_ERROR' || before.some(stands)
    ? [`${seq}: turn ${origin.turn} runs again after it counted`]
    : []
}

/** A key is compared by agent and input. */
function withoutEvents(request: string): string {
  const members = membersOf(request === '' ? {} : (JSON.parse(request) as LogRecord['data']))
  const { run, values, agent, input } = members
  return JSON.stringify({ run, values, agent, input: input ?? '' })
}

function isHandOff({ data }: LogRecord): boolean {
  return JSON.stringify(data).includes('"handoffTo"')
}

function stands(record: LogRecord): boolean {
  const { type, data } = record
  // The opening of a turn answers the calls that its message passes over; it opens the second run as well.
  const isPassedOver = JSON.stringify(data).includes('"error":"given_up"')
  if (type === 'TOOL_CALL_RESULT') return !isPassedOver
  return type === 'SUBAGENT_STARTED' || isProposal(record)
}

/** Whether a record is an event that a model proposed and the gate accepted. */
function isProposal({ type, origin }: LogRecord): boolean {
  return type === 'mark' && origin.source === 'model'
}

/** Checks that a promise's result equals one of the turn's ends on record. */
function resultFaults(
  records: readonly LogRecord[],
  { turn, settled }: MixTurn,
): readonly string[] {
  if (!settled || !('result' in settled)) return []
  const { run, reason } = settled.result
  if (run !== turn.run) return [`turn ${turn.run} resolves as ${run}`]
  const ends = records.filter(
    (record) =>
      ENDS.has(record.type) &&
      record.origin.depth === 0 &&
      record.origin.turn === run &&
      !isHandOff(record),
  )
  const reasons = ends.map(reasonOf)
  return reasons.includes(reason) ? [] : [`turn ${run} resolves ${reason}: ${reasons.join()}`]
}

function reasonOf({ type, data }: LogRecord): string {
  if (type === 'RUN_ERROR') return 'error'
  const outcome = membersOf(data)['outcome'] ?? null
  const kind = textOf(outcome, 'type')
  const ours = membersOf(membersOf(data)['metadata'] ?? null)['throughline'] ?? null
  if (kind === 'cancelled') return textOf(ours, 'code').startsWith('limit_') ? 'limit' : 'cancelled'
  if (kind === 'interrupt' || 'pendingToolCallIds' in membersOf(outcome)) return 'interrupt'
  return 'success'
}

/** A submitting rule runs in a turn of the agent that submits, and nowhere else. */
function submitFaults(records: readonly LogRecord[]): readonly string[] {
  const faults: string[] = []
  let first: string | undefined
  for (const { type, seq, origin } of records) {
    if (type === 'RUN_STARTED') first = origin.path?.[0]
    if (type === 'sent' && first !== 'desk') faults.push(`${seq}: a turn of ${first} submits`)
    if (ENDS.has(type) && origin.depth === 0) first = undefined
  }
  return faults
}

/** A run whose cancel is on record ends cancelled, and nothing counts that came after the cancel. */
function cancelFaults(records: readonly LogRecord[]): readonly string[] {
  const faults: string[] = []
  const parents = new Map(records.map(({ origin }) => [origin.run, origin.parentRun]))
  const cancelled = new Set<string>()
  for (const record of records) {
    const { type, data, seq, origin } = record
    const { run = '' } = origin
    if (textOf(data, 'name') === 'throughline.cancel_requested') {
      cancelled.add(textOf(membersOf(data)['value'] ?? null, 'run'))
    }
    const above = chainOf(run, parents)
    if (isProposal(record) && above.some((each) => cancelled.has(each))) {
      faults.push(`${seq}: a proposal of ${run} counts after its cancel`)
    }
    if (!ENDS.has(type) || !cancelled.has(run)) continue
    const code = textOf(data, 'code')
    if (code !== 'cancelled' && (origin.depth > 0 || reasonOf(record) !== 'cancelled')) {
      faults.push(`${seq}: run ${run} ends with ${type} ${code} after its cancel`)
    }
    cancelled.delete(run)
  }
  return faults
}

/** A run that ends without waiting leaves no call of its own without a result. */
function callFaults(records: readonly LogRecord[]): readonly string[] {
  const faults: string[] = []
  const open = new Map<string, string | undefined>()
  for (const record of records) {
    const { type, data, seq, origin } = record
    const call = textOf(data, 'toolCallId')
    if (type === 'TOOL_CALL_START') open.set(call, origin.run)
    if (type === 'TOOL_CALL_RESULT') open.delete(call)
    if (!ENDS.has(type)) continue
    const left = [...open].filter(([, run]) => run === origin.run).map(([id]) => id)
    for (const id of left) open.delete(id)
    if (left.length > 0 && !isWaiting(record)) {
      faults.push(`${seq}: ${type} of run ${origin.run} leaves ${left.join()} without a result`)
    }
  }
  return faults
}

function isWaiting(record: LogRecord): boolean {
  const outcome = membersOf(record.data)['outcome'] ?? null
  return reasonOf(record) === 'interrupt' || textOf(outcome, 'type') === 'suspended'
}

/** A run and those above it. */
function chainOf(
  run: string,
  parents: ReadonlyMap<string | undefined, string | undefined>,
): readonly string[] {
  const above = parents.get(run)
  return above === undefined ? [run] : [run, ...chainOf(above, parents)]
}
