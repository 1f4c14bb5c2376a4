import { membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'

/** What the gate refused of what a model proposed, and why. */
export interface Refusal {
  readonly type: string
  readonly reason: string
  readonly detail: string
}

const BEGINS = '[Your event was refused: '
const ENDS = ']'

/** The note by which a model learns of a refusal, from the data of its record. */
export function refusalNote(data: Json): string {
  const refusal: Refusal = {
    type: textOf(data, 'type'),
    reason: textOf(data, 'reason'),
    detail: textOf(data, 'detail'),
  }
  return `${BEGINS}${JSON.stringify(refusal)}${ENDS}`
}

/** The refusal in such a note; undefined for other notes. */
export function refusalIn(note: string): Refusal | undefined {
  if (!note.startsWith(BEGINS) || !note.endsWith(ENDS)) return undefined
  const told = membersOf(JSON.parse(note.slice(BEGINS.length, -ENDS.length)) as Json)
  return {
    type: textOf(told, 'type'),
    reason: textOf(told, 'reason'),
    detail: textOf(told, 'detail'),
  }
}
