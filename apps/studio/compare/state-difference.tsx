import { useContext } from 'react'
import { diff } from 'throughline'
import { membersOf, valueAt } from 'throughline/client'
import type { Json } from 'throughline/client'
import { ChangeLines } from '../change-lines.tsx'
import type { ValueChange } from '../changes.ts'
import { ThreadContext } from '../thread-context.ts'
import { useAnswer } from '../use-answer.ts'
import type { AskedVersion } from '../use-answer.ts'
import styles from './compare.module.css'
import { COMPARE_WORDS } from './words.ts'

/** Where a state is read, and in which role. */
export interface StateAddress extends Pick<AskedVersion, 'role'> {
  readonly url: string
  /** Whether it is of the thread of this page, whose reveal counts. */
  readonly isOwn: boolean
}

/** What differs between the states of both sides. */
export function StateDifference({ a, b }: { readonly a: StateAddress; readonly b: StateAddress }) {
  const { reveal } = useContext(ThreadContext)
  const asked = ({ role, isOwn }: StateAddress): AskedVersion => ({
    version: 'fixed',
    ...(isOwn && { reveal }),
    ...(role && { role }),
  })
  const left = useAnswer(a.url, asked(a))
  const right = useAnswer(b.url, asked(b))
  if (left.status === 'failed' || right.status === 'failed') {
    return <p role="status">{COMPARE_WORDS.noState}</p>
  }
  if (left.status === 'asking' || right.status === 'asking') return null
  const changes = changesBetween(stateIn(left.value), stateIn(right.value))
  return (
    <section className={styles.card}>
      <h3 className={styles.caption}>{COMPARE_WORDS.state}</h3>
      <div className={styles.changes}>
        {changes.length === 0 ? (
          <p>{COMPARE_WORDS.sameState}</p>
        ) : (
          <ChangeLines changes={changes} />
        )}
      </div>
      <p className={styles.caption}>{COMPARE_WORDS.onlyFirst}</p>
    </section>
  )
}

function changesBetween(before: Json, after: Json): readonly ValueChange[] {
  return diff(before, after).map((operation) => {
    const { op, path } = operation
    const kind = op === 'add' ? 'added' : op === 'remove' ? 'removed' : 'changed'
    const value = 'value' in operation ? { after: operation.value as Json } : {}
    return { kind, path, before: valueAt(before, path), ...value }
  })
}

function stateIn(answer: Json): Json {
  return membersOf(answer)['state'] ?? null
}
