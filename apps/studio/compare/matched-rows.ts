import type { Told } from '../story/index.ts'

/** Rows of each side that are compared: the latest. */
export const COMPARED_ROWS_MAX = 400

/** What stands side by side. One that only one side has stands alone. */
export interface MatchedRow {
  readonly kind: 'equal' | 'changed' | 'removed' | 'added'
  readonly a?: Told | undefined
  readonly b?: Told | undefined
}

/**
 * Matches the rows of two threads, or of two points of one, by what they are and their order, never by id or
 * time: the longest list of kinds that both have in common stays together.
 */
export function matchedRows(a: readonly Told[], b: readonly Told[]): readonly MatchedRow[] {
  const [one, other] = [a.slice(-COMPARED_ROWS_MAX), b.slice(-COMPARED_ROWS_MAX)]
  const common = commonLengths(one, other)
  const rows: MatchedRow[] = []
  let [x, y] = [0, 0]
  while (x < one.length || y < other.length) {
    const [left, right] = [one[x], other[y]]
    if (left && right && kindOf(left) === kindOf(right)) {
      rows.push({ kind: isSame(left, right) ? 'equal' : 'changed', a: left, b: right })
      x++
      y++
    } else if (!right || (left && lengthAt(common, x + 1, y) >= lengthAt(common, x, y + 1))) {
      rows.push({ kind: 'removed', a: left })
      x++
    } else {
      rows.push({ kind: 'added', b: right })
      y++
    }
  }
  return rows
}

/** How many rows the rest of both lists has in common, from each place on. */
function commonLengths(a: readonly Told[], b: readonly Told[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0))
  const [left, right] = [a.map(kindOf), b.map(kindOf)]
  for (let x = a.length - 1; x >= 0; x--) {
    const row = lengths[x] ?? []
    for (let y = b.length - 1; y >= 0; y--) {
      row[y] =
        left[x] === right[y]
          ? lengthAt(lengths, x + 1, y + 1) + 1
          : Math.max(lengthAt(lengths, x + 1, y), lengthAt(lengths, x, y + 1))
    }
  }
  return lengths
}

function lengthAt(lengths: readonly (readonly number[])[], x: number, y: number): number {
  return lengths[x]?.[y] ?? 0
}

function kindOf({ record: { type, origin }, kind }: Told): string {
  return [type, kind, origin.source, origin.agent, origin.rule].join('\n')
}

function isSame(a: Told, b: Told): boolean {
  return a.sentences.join('\n') === b.sentences.join('\n')
}
