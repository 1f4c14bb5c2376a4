import { diffLines } from 'diff'
import { isJsonArray, membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'

/** Lines of a text that are compared; beyond it all of both texts stand one after the other. */
const COMPARED_LINES_MAX = 2_000

export interface ChangedLine {
  readonly change: 'added' | 'removed' | 'same'
  readonly text: string
}

/** The lines that a call of an editing tool changes; undefined for a call of another tool. */
export function changedLines(name: string, input: Json): readonly ChangedLine[] | undefined {
  if (name === 'Write') return linesOf(textOf(input, 'content'), 'added')
  if (name === 'Edit') return edited(input)
  if (name !== 'MultiEdit') return undefined
  const edits = membersOf(input)['edits'] ?? null
  return isJsonArray(edits) ? edits.flatMap(edited) : []
}

function edited(input: Json): readonly ChangedLine[] {
  const [before, after] = [textOf(input, 'old_string'), textOf(input, 'new_string')]
  const [removed, added] = [linesOf(before, 'removed'), linesOf(after, 'added')]
  if (removed.length + added.length > COMPARED_LINES_MAX) return [...removed, ...added]
  return diffLines(ended(before), ended(after)).flatMap((part) =>
    linesOf(part.value, part.added ? 'added' : part.removed ? 'removed' : 'same'),
  )
}

/** A last line without its end would count as changed. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function linesOf(text: string, change: ChangedLine['change']): readonly ChangedLine[] {
  if (text === '') return []
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text
  return lines.split('\n').map((line) => ({ change, text: line }))
}
