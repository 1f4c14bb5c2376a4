/** A value of a thread's state by which it can be found. */
export type IndexValue = string | number | boolean | null

/** Of a text that a thread can be found by. */
export const INDEX_TEXT_CHARS_MAX = 256

/** Bounds of a value: all numbers or all texts, at most one lower and one upper bound. */
export interface ValueRange {
  readonly gte?: string | number
  readonly gt?: string | number
  readonly lte?: string | number
  readonly lt?: string | number
}

/** One comparison of a key. */
export interface KeyBound {
  readonly operator: '>=' | '>' | '<=' | '<'
  readonly key: string
}

/**
 * The key of a value, in hexadecimal digits: equal keys for equal values only, and the same order in memory
 * and in every database. `null` comes first, then `false`, `true`, numbers, and texts by their UTF-16 units.
 */
export function indexKey(value: IndexValue): string {
  if (value === null) return '0'
  if (typeof value === 'boolean') return value ? '2' : '1'
  return typeof value === 'number' ? `${NUMBERS}${numberKey(value)}` : `${TEXTS}${textKey(value)}`
}

const NUMBERS = '3'
const TEXTS = '4'
const AFTER_TEXTS = '5'

export function isValues(
  wanted: readonly IndexValue[] | ValueRange,
): wanted is readonly IndexValue[] {
  return Array.isArray(wanted)
}

/** Says which keys lie in a range; no value of another type does. */
export function boundsOf({ gte, gt, lte, lt }: ValueRange): readonly KeyBound[] {
  const lower = gt === undefined ? boundAt('>=', gte) : boundAt('>', gt)
  const upper = lt === undefined ? boundAt('<=', lte) : boundAt('<', lt)
  const isOfTexts = (lower ?? upper)?.key.startsWith(TEXTS)
  const [first, after] = isOfTexts ? [TEXTS, AFTER_TEXTS] : [NUMBERS, TEXTS]
  return [lower ?? { operator: '>=', key: first }, upper ?? { operator: '<', key: after }]
}

function boundAt(
  operator: KeyBound['operator'],
  value: string | number | undefined,
): KeyBound | undefined {
  return value === undefined ? undefined : { operator, key: indexKey(value) }
}

/** The bits of IEEE 754 rise with a positive number and fall with a negative one. */
function numberKey(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  // -0 equals 0.
  view.setFloat64(0, value === 0 ? 0 : value)
  const bits = view.getBigUint64(0)
  const ordered = value < 0 ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

function textKey(text: string): string {
  let key = ''
  for (let at = 0; at < text.length; at++) {
    key += text.charCodeAt(at).toString(16).padStart(4, '0')
  }
  return key
}
