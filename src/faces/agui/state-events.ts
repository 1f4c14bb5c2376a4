import { diff } from '../../domain/index.ts'
import type { Operation } from '../../domain/index.ts'
import { isJsonArray, isJsonObject } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { AGUI_FRAME_BYTES_MAX, ENVELOPE_BYTES, isLongerThan } from './frame.ts'
import type { LongEventOptions } from './frame.ts'
import { wireEvent } from './wire-event.ts'
import type { WireEvent } from './wire-event.ts'

/**
 * The events that give a client a whole state: one snapshot. A state that is too long for one event is
 * a snapshot without members, and deltas that add them.
 */
export function stateSnapshotEvents(state: Json, options: LongEventOptions): readonly WireEvent[] {
  const { timestamp } = options
  if (!isLongerThan(JSON.stringify(state), bytesMaxOf(options))) {
    return [wireEvent('STATE_SNAPSHOT', { snapshot: state }, timestamp)]
  }
  const empty: Json = isJsonArray(state) ? [] : {}
  return [
    wireEvent('STATE_SNAPSHOT', { snapshot: empty }, timestamp),
    ...deltaEvents([{ op: 'replace', path: '', value: state }], options),
  ]
}

/**
 * The events that lead from one state to another: none when both are equal, a snapshot when clients
 * would refuse the path of an operation.
 */
export function stateDeltaEvents(
  before: Json,
  after: Json,
  options: LongEventOptions,
): readonly WireEvent[] {
  const operations = diff(before, after)
  if (operations.some(({ path }) => isRefusedPath(path))) return stateSnapshotEvents(after, options)
  return deltaEvents(operations, options)
}

/** Source: fast-json-patch `banPrototypeModifications`; the stock client applies deltas with it. */
function isRefusedPath(path: string): boolean {
  return /\/(__proto__|constructor\/prototype)(\/|$)/.test(path)
}

function deltaEvents(
  operations: readonly Operation[],
  options: LongEventOptions,
): readonly WireEvent[] {
  const bytesMax = bytesMaxOf(options)
  return batched(operations, bytesMax).map((delta) =>
    wireEvent('STATE_DELTA', { delta: [...delta] }, options.timestamp),
  )
}

function bytesMaxOf({ bytesMax = AGUI_FRAME_BYTES_MAX }: LongEventOptions): number {
  return bytesMax - ENVELOPE_BYTES
}

/** Splits operations into lists that are short enough for one event each, in their order. */
function batched(
  operations: readonly Operation[],
  bytesMax: number,
): readonly (readonly Operation[])[] {
  if (operations.length === 0) return []
  if (!isLongerThan(JSON.stringify(operations), bytesMax)) return [operations]
  const [only] = operations
  if (operations.length === 1 && only) {
    const parts = splitOperation(only)
    // A single text cannot be split; it goes out as it is.
    return parts.length === 1 ? [parts] : batched(parts, bytesMax)
  }
  const half = Math.ceil(operations.length / 2)
  return [
    ...batched(operations.slice(0, half), bytesMax),
    ...batched(operations.slice(half), bytesMax),
  ]
}

/** One operation as several: an empty object or array in the place, then each member or item. */
function splitOperation(operation: Operation): readonly Operation[] {
  if (operation.op === 'remove') return [operation]
  const { path, value } = operation
  if (isJsonArray(value)) {
    const items = value.map((item, at) => added(`${path}/${at}`, item))
    return [{ ...operation, value: [] }, ...items]
  }
  if (!isJsonObject(value)) return [operation]
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [added(`${path}/${escaped(key)}`, member)],
  )
  if (members.some((member) => isRefusedPath(member.path))) return [operation]
  return [{ ...operation, value: {} }, ...members]
}

function added(path: string, value: Json): Operation {
  return { op: 'add', path, value }
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
