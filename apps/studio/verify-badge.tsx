import { useState } from 'react'
import { membersOf } from 'throughline/json'
import { Button } from '../kit/index.ts'
import styles from './studio.module.css'
import type { Answer } from './use-answer.ts'
import { useAnswer } from './use-answer.ts'
import { WORDS } from './words.ts'

/** Whether the stored records are still the ones that were written. Words and a sign, not colour alone. */
export function VerifyBadge({ thread }: { readonly thread: string }) {
  const [check, setCheck] = useState(0)
  const answer = useAnswer(`/api/threads/${encodeURIComponent(thread)}/verify`, `${check}`)
  const { look, sign, words } = verdictOf(answer)
  return (
    <>
      <span className={`${styles.badge} ${styles[look]}`} role="status">
        <span aria-hidden="true">{sign}</span>
        {words}
      </span>
      <Button look="secondary" onClick={() => setCheck((count) => count + 1)}>
        {WORDS.verify.again}
      </Button>
    </>
  )
}

function verdictOf(answer: Answer) {
  if (answer.status === 'asking')
    return { look: 'unknown', sign: '…', words: WORDS.verify.checking }
  if (answer.status === 'failed') return { look: 'unknown', sign: '?', words: WORDS.verify.failed }
  const { ok, head, firstBadSeq, unanchored } = membersOf(answer.value)
  if (ok !== true)
    return { look: 'broken', sign: '✕', words: WORDS.verify.broken(Number(firstBadSeq)) }
  return Number(unanchored) > 0
    ? { look: 'unknown', sign: '!', words: WORDS.verify.unanchored(Number(unanchored)) }
    : { look: 'ok', sign: '✓', words: WORDS.verify.ok(Number(head)) }
}
