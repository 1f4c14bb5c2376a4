import { valueAt } from 'throughline/client'
import type { Json } from 'throughline/client'
import type { ChangeReason, ValueChange } from './changes.ts'

/** Characters of a value that stand beside a row. */
const VALUE_CHARS_MAX = 40

/** The value at a watched path from one record on. */
export interface WatchedStep {
  /** −1 for the value before the first record. */
  readonly seq: number
  readonly text: string
}

/** The values of a path, oldest first, from the state before all records and the reasons of its changes. */
export function stepsOf(
  path: string,
  before: Json,
  reasons: readonly ChangeReason[],
): readonly WatchedStep[] {
  const first = { seq: -1, text: textOf(valueAt(before, path)) }
  const later = reasons.flatMap(({ seq, changes }) => {
    const change = changes.findLast((each) => touches(each, path))
    return change ? [{ seq, text: textAfter(change, path) }] : []
  })
  return [first, ...later]
}

/** The value at a path after a record; the last step that is not later. */
export function stepAt(steps: readonly WatchedStep[], seq: number): WatchedStep | undefined {
  return steps.findLast((step) => step.seq <= seq)
}

function touches(change: ValueChange, path: string): boolean {
  return isWithin(path, change.path) || isWithin(change.path, path)
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || outer === '' || inner.startsWith(`${outer}/`)
}

/** A change below the path leaves the rest of the value as it was: only that it changed is said. */
function textAfter({ path: changed, after }: ValueChange, path: string): string {
  if (!isWithin(path, changed)) return CHANGED_WITHIN
  return textOf(after === undefined ? after : valueAt(after, path.slice(changed.length)))
}

const CHANGED_WITHIN = '…'

function textOf(value: Json | undefined): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= VALUE_CHARS_MAX ? text : `${text.slice(0, VALUE_CHARS_MAX - 1)}…`
}
