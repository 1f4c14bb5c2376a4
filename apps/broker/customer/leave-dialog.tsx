import { useId, useState } from 'react'
import type { Readiness } from '../../kit/index.ts'
import { Button, TextField } from '../../kit/index.ts'
import { REASON_LENGTH_MAX } from '../case/limits.ts'
import styles from './customer.module.css'
import type { Leaving } from './use-leaving.ts'
import { WORDS } from './words.ts'

export interface LeaveDialogProps {
  readonly leaving: Leaving
  readonly readiness: Readiness
  readonly lenders: 'not asked' | 'asked'
  readonly onWithdraw: (reason: string) => void
}

/** Both ways out beside each other: what each does is said once, and nobody is persuaded to stay. */
export function LeaveDialog(props: LeaveDialogProps) {
  const { readiness, lenders, onWithdraw } = props
  const { dialog, leave } = props.leaving
  const headingId = useId()
  const [reason, setReason] = useState('')
  const close = (): void => dialog.current?.close()
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={headingId}>
      <div className={styles.dialogBody}>
        <h2 id={headingId} className={styles.dialogHeading} tabIndex={-1} data-exit="leave">
          {WORDS.leave.title}
        </h2>
        <p>{WORDS.leave.text}</p>
        <Button look="secondary" onClick={leave}>
          {WORDS.leave.open}
        </Button>
        <h3 className={styles.dialogHeading} tabIndex={-1} data-exit="withdraw">
          {WORDS.withdraw.title}
        </h3>
        <p>{lenders === 'asked' ? WORDS.withdraw.afterLenders : WORDS.withdraw.beforeLenders}</p>
        <TextField
          id="leave-reason"
          kind="lines"
          label={WORDS.withdraw.reason}
          maxLength={REASON_LENGTH_MAX}
          value={reason}
          onChange={setReason}
        />
        <Button
          look="secondary"
          readiness={readiness}
          onClick={() => {
            close()
            onWithdraw(reason.trim())
          }}
        >
          {WORDS.withdraw.confirm}
        </Button>
        <Button look="quiet" onClick={close}>
          {WORDS.leave.stay}
        </Button>
      </div>
    </dialog>
  )
}
