import { useId, useRef, useState } from 'react'
import type { Readiness } from '../../kit/index.ts'
import { Button, ButtonRow, TextField } from '../../kit/index.ts'
import { REASON_LENGTH_MAX } from '../case/limits.ts'
import styles from './customer.module.css'
import { WORDS } from './words.ts'

export interface LeaveDialogProps {
  readonly readiness: Readiness
  readonly lenders: 'not asked' | 'asked'
  readonly onLeave: (reason: string) => void
}

/** Leaving takes one confirmation and no persuasion. */
export function LeaveDialog({ readiness, lenders, onLeave }: LeaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const headingId = useId()
  const [reason, setReason] = useState('')
  const open = (): void => {
    dialog.current?.showModal()
    // Not the field, which would call up a phone's keyboard over the choice.
    document.getElementById(headingId)?.focus()
  }
  const close = (): void => dialog.current?.close()
  return (
    <>
      <Button look="secondary" onClick={open}>
        {WORDS.leave.open}
      </Button>
      <dialog ref={dialog} className={styles.dialog} aria-labelledby={headingId}>
        <div className={styles.dialogBody}>
          <h2 id={headingId} className={styles.dialogHeading} tabIndex={-1}>
            {WORDS.leave.title}
          </h2>
          <p>{WORDS.leave.text}</p>
          <p>{lenders === 'asked' ? WORDS.leave.afterLenders : WORDS.leave.beforeLenders}</p>
          <TextField
            id="leave-reason"
            kind="lines"
            label={WORDS.leave.reason}
            maxLength={REASON_LENGTH_MAX}
            value={reason}
            onChange={setReason}
          />
          <ButtonRow>
            <Button
              look="secondary"
              readiness={readiness}
              onClick={() => {
                close()
                onLeave(reason.trim())
              }}
            >
              {WORDS.leave.confirm}
            </Button>
            <Button look="secondary" onClick={close}>
              {WORDS.leave.stay}
            </Button>
          </ButtonRow>
        </div>
      </dialog>
    </>
  )
}
