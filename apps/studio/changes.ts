import { isJsonArray, membersOf, textOf, valueAt } from 'throughline/client'
import type { Json, Origin } from 'throughline/client'

/** One change of the state. */
export interface ValueChange {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly path: string
  readonly before?: Json | undefined
  readonly after?: Json | undefined
}

/** Why a record changed a value, as the server tells it. */
export interface ChangeReason {
  readonly seq: number
  readonly changes: readonly ValueChange[]
  readonly origin?: Origin | undefined
  readonly cause?: number | undefined
  readonly tag?: string | undefined
  readonly asked?: { readonly seq: number; readonly text: string } | undefined
}

/** The changes of one record in an answer of `changes` that begins with it. */
export function changesIn(answer: Json, seq: number): readonly ValueChange[] {
  const { base = null, changes } = membersOf(answer)
  const of = listIn(changes).find((each) => membersOf(each)['seq'] === seq)
  return operationsIn(of).map((change) => ({ ...change, before: valueAt(base, change.path) }))
}

/** The reasons in an answer of `why`, oldest first. */
export function reasonsIn(answer: Json): readonly ChangeReason[] {
  return listIn(membersOf(answer)['reasons']).map((reason) => {
    const { seq, record, cause, said, asked } = membersOf(reason)
    const { origin } = membersOf(record ?? null)
    const askedSeq = membersOf(asked ?? null)['seq']
    return {
      seq: Number(seq),
      changes: operationsIn(reason),
      // The server sends records as it stores them.
      ...(origin !== undefined && { origin: origin as unknown as Origin }),
      ...(cause !== undefined && { cause: Number(membersOf(cause)['seq']) }),
      ...(said !== undefined && { tag: textOf(said, 'tag') }),
      ...(asked !== undefined && {
        asked: { seq: Number(askedSeq), text: textOf(asked, 'text') },
      }),
    }
  })
}

function operationsIn(change: Json | undefined): readonly ValueChange[] {
  return listIn(membersOf(change ?? null)['ops']).map((operation) => {
    const { op, value } = membersOf(operation)
    const kind = op === 'add' ? 'added' : op === 'remove' ? 'removed' : 'changed'
    const path = textOf(operation, 'path')
    return value === undefined ? { kind, path } : { kind, path, after: value }
  })
}

function listIn(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : []
}
