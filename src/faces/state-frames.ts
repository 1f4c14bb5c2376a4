import { diff } from '../domain/index.ts'
import type { Json } from '../json/index.ts'
import { namedFrame } from './own-frames.ts'

/** A role's view of the thread's state after the record at `seq`. */
export interface ShownState {
  readonly seq: number
  readonly state: Json
}

/** The whole state as a frame. */
export function stateFrame({ seq, state }: ShownState): string {
  return namedFrame('state', { seq, state })
}

/**
 * The frame that leads from `before` to `after`: a delta by RFC 6902, or the whole state when that is
 * shorter. Undefined when both are equal.
 */
export function stateChange(before: ShownState, after: ShownState): string | undefined {
  const delta = diff(before.state, after.state)
  if (delta.length === 0) return undefined
  const change = namedFrame('state', { seq: after.seq, base: before.seq, delta })
  const whole = stateFrame(after)
  return change.length < whole.length ? change : whole
}
