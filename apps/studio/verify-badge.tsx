import { RefreshCw } from 'lucide'
import { useEffect, useState } from 'react'
import { membersOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { IconButton, threadUrl } from '../kit/index.ts'
import type { Connection } from './connection.ts'
import type { Answer } from './use-answer.ts'
import { useAnswer } from './use-answer.ts'
import { Verdict } from './verdict.tsx'
import type { VerdictProps } from './verdict.tsx'
import { WORDS } from './words.ts'

/** Each check reads the whole thread, so records that arrive together are checked together. */
const CHECK_AGAIN_MS = 2_000

export interface VerifyBadgeProps {
  readonly thread: string
  /** The latest record that the page knows of. */
  readonly head: number
  readonly connection: Connection
}

/** Whether the stored records are still the ones that were written. */
export function VerifyBadge({ thread, head, connection }: VerifyBadgeProps) {
  const [check, setCheck] = useState(0)
  const [isBegun, begin] = useState(false)
  // A check reads the whole thread: the records that a person waits for come first.
  if (!isBegun && connection !== 'opening') begin(true)
  const url = `${threadUrl(thread)}/verify`
  const answer = useAnswer(isBegun ? url : undefined, { version: `${check}` })
  const { look, sign, words } = verdictOf(answer)
  const isBehind = answer.status === 'answered' && isOkBefore(answer.value, head)
  // Without a server the stream asks for it; once it answers, so can the check.
  const isAnswerable = connection === 'live' && answer.status === 'failed'
  const isDue = isBehind || isAnswerable
  useEffect(() => {
    if (!isDue) return undefined
    const timer = setInterval(() => setCheck((count) => count + 1), CHECK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isDue, check])
  return (
    <>
      <span role="status">
        <Verdict look={look} sign={sign}>
          {words}
        </Verdict>
      </span>
      <IconButton
        icon={RefreshCw}
        label={WORDS.verify.again}
        onClick={() => setCheck((count) => count + 1)}
      />
    </>
  )
}

function verdictOf(answer: Answer): Omit<VerdictProps, 'children'> & { readonly words: string } {
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

/** A broken chain stays broken, whatever is appended to it. */
function isOkBefore(verdict: Json, head: number): boolean {
  const { ok, head: checked } = membersOf(verdict)
  return ok === true && Number(checked) < head
}
