import { useState } from 'react'
import { EyeOff } from 'lucide'
import {
  Banner,
  Button,
  ButtonRow,
  Icon,
  Sheet,
  TextField,
  dateTime,
  errorAt,
  useFieldErrors,
  useSheet,
} from '../kit/index.ts'
import type { SheetState } from '../kit/index.ts'
import styles from './personal-data.module.css'
import { RecordLink } from './record-link.tsx'
import type { Erased } from './use-erasure.ts'
import { useErasure } from './use-erasure.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.erasure
const REASON = 'erasure-reason'
const REASON_MAX = 500

export interface ErasureStripProps {
  readonly thread: string
  /** In milliseconds since the epoch. Absent: the person of the thread was not erased. */
  readonly erasedAt: number | undefined
  /** The record of it, once the page has read it. */
  readonly erased: Erased | undefined
  readonly onSelect: (seq: number) => void
}

/** Says when the person of the thread was erased, or offers to do it. */
export function ErasureStrip({ thread, erasedAt, erased, onSelect }: ErasureStripProps) {
  const sheet = useSheet('erase')
  return (
    <section className={styles.strip} aria-label={WORDED.label}>
      <div className={styles.line}>
        {erased ? (
          <>
            <Icon shape={EyeOff} />
            <p role="status">{WORDED.erased(dateTime(erased.at), erased.by, erased.why)}</p>
            <RecordLink seq={erased.seq} onSelect={onSelect}>
              {WORDED.asRecord(erased.seq)}
            </RecordLink>
          </>
        ) : erasedAt === undefined ? (
          <Button look="quiet" onClick={sheet.open}>
            {WORDED.offer}
          </Button>
        ) : (
          <p>{WORDED.erasedOn(dateTime(erasedAt))}</p>
        )}
      </div>
      {erasedAt === undefined && <ErasureSheet thread={thread} sheet={sheet} />}
    </section>
  )
}

interface ErasureSheetProps {
  readonly thread: string
  readonly sheet: SheetState
}

function ErasureSheet({ thread, sheet }: ErasureSheetProps) {
  const { status, erase } = useErasure(thread)
  const [reason, write] = useState('')
  const missing = reason.trim() === '' ? [{ field: REASON, message: WORDED.missing }] : []
  const { errors, check } = useFieldErrors(missing)
  return (
    <Sheet
      sheet={sheet}
      title={WORDED.title}
      place="middle"
      foot={
        <ButtonRow>
          <Button look="quiet" onClick={sheet.close}>
            {WORDED.cancel}
          </Button>
          <Button
            look="danger"
            readiness={status === 'erasing' ? 'waiting' : 'ready'}
            onClick={() => check() && erase(reason.trim())}
          >
            {WORDED.confirm}
          </Button>
        </ButtonRow>
      }
    >
      <p>{WORDED.goes}</p>
      <p>{WORDED.stays}</p>
      <p>{WORDED.noReturn}</p>
      <TextField
        id={REASON}
        label={WORDED.reason}
        hint={WORDED.reasonHint}
        error={errorAt(errors, REASON)}
        value={reason}
        maxLength={REASON_MAX}
        onChange={write}
      />
      {status === 'refused' && <Banner tone="problem">{WORDED.refused}</Banner>}
      {status === 'failed' && <Banner tone="problem">{WORDED.failed}</Banner>}
    </Sheet>
  )
}
