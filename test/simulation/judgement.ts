import { replay } from '../../src/domain/index.ts'
import { membersOf, textOf } from '../../src/json/index.ts'
import type { LogRecord } from '../../src/log/index.ts'
import type { Stored } from './simulated-store.ts'
import { shop } from './shop.ts'
import type { Shop } from './shop.ts'

/** What a history has left of one thread, and what people were told of it. */
export interface Left {
  readonly records: readonly LogRecord[]
  /** The appends to it, in their order. */
  readonly stored: readonly Stored[]
  /** The numbers of orders that a client was told are taken, by the ids of their records. */
  readonly taken: ReadonlyMap<string, number>
  readonly messages: readonly string[]
  /** What its reader has read. */
  readonly seen: readonly LogRecord[]
  /** The state, as each server gives it. */
  readonly states: readonly { readonly seq: number; readonly state: Shop }[]
}

/** Says in words what broke a promise. */
export function judge(left: Left): readonly string[] {
  return [
    ...judgeFences(left),
    ...judgeRuns(left),
    ...judgeOrders(left),
    ...left.messages.flatMap((message) => judgeMessage(left, message)),
    ...judgeReader(left),
    ...judgeStates(left),
  ]
}

/** Once a lease has gone to another server, nothing of the earlier one is stored. */
function judgeFences({ stored }: Left): readonly string[] {
  const fences = stored.flatMap(({ fence }) => fence ?? [])
  return fences.flatMap((fence, index) => {
    const before = fences[index - 1] ?? 0
    return fence < before ? [`an append under the fence ${fence} follows one under ${before}`] : []
  })
}

/** A run ends once, and nothing of it comes after its end. */
function judgeRuns({ records }: Left): readonly string[] {
  const runs = new Map<string, 'open' | 'over'>()
  const broken: string[] = []
  for (const { type, origin, data, seq } of records) {
    const run = textOf(data, 'runId') || (origin.run ?? '')
    const is = runs.get(run)
    if (type === 'RUN_STARTED') {
      if (is) broken.push(`run ${run} begins twice`)
      runs.set(run, 'open')
    } else if (ENDS.has(type)) {
      if (is !== 'open') broken.push(`run ${run} ends without a beginning, or twice`)
      runs.set(run, 'over')
    } else if (is === 'over' && origin.source === 'model') {
      broken.push(`record ${seq} belongs to a run that is over`)
    }
  }
  const open = [...runs.values()].filter((is) => is === 'open').length
  return open > 0 ? [...broken, `${open} runs are still open`] : broken
}

const ENDS: ReadonlySet<string> = new Set(['RUN_FINISHED', 'RUN_ERROR'])

/** What a client was told is there; each order is packed once and ends once, and its effect is asked for once. */
function judgeOrders({ records, taken }: Left): readonly string[] {
  const of = (type: string) => records.filter((record) => record.type === type)
  const numbers = (type: string) => of(type).map(({ data }) => Number(membersOf(data)['n']))
  const times = (numbered: readonly number[], n: number) => numbered.filter((x) => x === n).length
  const orders = new Map(of('ordered').map(({ id, data }) => [id, membersOf(data)['n']]))
  const ordered = numbers('ordered')
  const packed = numbers('packed')
  const ended = [...numbers('charged'), ...numbers('lapsed')]
  const requests = of('effect_requested').map(({ data }) => textOf(data, 'key'))
  return [
    ...[...taken].flatMap(([id, n]) => (orders.get(id) === n ? [] : [`order ${n} is lost`])),
    ...ordered.flatMap((n) => {
      const is = `order ${n} is taken ${times(ordered, n)}, packed ${times(packed, n)}, ended ${times(ended, n)} times`
      return is === `order ${n} is taken 1, packed 1, ended 1 times` ? [] : [is]
    }),
    ...(new Set(requests).size < requests.length ? ['an effect is requested twice'] : []),
  ]
}

/** A message succeeds once at most, and leaves one note if it does. */
function judgeMessage({ records }: Left, message: string): readonly string[] {
  const notes = records.filter(
    ({ type, data }) => type === 'noted' && textOf(data, 'text') === message,
  ).length
  const successes = runsOf(records, message).filter((run) => isSuccess(records, run)).length
  const is = `${message} has ${successes} successful runs and ${notes} notes`
  return notes > 1 || successes > 1 || notes < successes ? [is] : []
}

function runsOf(records: readonly LogRecord[], message: string): readonly string[] {
  return records.flatMap(({ type, data, origin }) =>
    type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'ui' && textOf(data, 'delta') === message
      ? (origin.run ?? [])
      : [],
  )
}

function isSuccess(records: readonly LogRecord[], run: string): boolean {
  return records.some(
    ({ type, data }) =>
      type === 'RUN_FINISHED' &&
      textOf(data, 'runId') === run &&
      textOf(membersOf(data)['outcome'] ?? null, 'type') === 'success',
  )
}

function judgeReader({ records, seen }: Left): readonly string[] {
  const places = (all: readonly LogRecord[]) => all.map(({ seq, hash }) => `${seq} ${hash}`).join()
  return places(seen) === places(records)
    ? []
    : [`a reader saw ${seen.length} records, and not just the ${records.length} that there are`]
}

function judgeStates({ records, states }: Left): readonly string[] {
  const folded = JSON.stringify(replay(shop, records))
  return states.flatMap(({ seq, state }) =>
    seq === records.length - 1 && JSON.stringify(state) === folded
      ? []
      : [`a server has another state, at ${seq} of ${records.length - 1}`],
  )
}
