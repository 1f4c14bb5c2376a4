import { useEffect, useRef, useState } from 'react'
import { Eye, EyeOff } from 'lucide'
import {
  Banner,
  Button,
  ButtonRow,
  Form,
  Icon,
  TextField,
  errorAt,
  useFieldErrors,
} from '../kit/index.ts'
import { RecordLink } from './record-link.tsx'
import styles from './personal-data.module.css'
import type { Revealing } from './use-reveal.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.personal
const REASON = 'reveal-reason'
const REASON_MAX = 500

export interface PersonalDataStripProps extends Revealing {
  /** The event that puts a reveal on record. */
  readonly type: string
  readonly onSelect: (seq: number) => void
}

/** Says whether personal data is shown, and asks for a reason before it is. */
export function PersonalDataStrip({ type, reveal, ask, hide, onSelect }: PersonalDataStripProps) {
  const [form, setForm] = useState<'closed' | 'open'>('closed')
  const state = useRef<HTMLParagraphElement>(null)
  const isShown = reveal.status === 'shown'
  // The button that was pressed goes away.
  useEffect(() => {
    if (isShown) state.current?.focus()
  }, [isShown])
  const close = (): void => {
    setForm('closed')
    state.current?.focus()
  }
  return (
    <section className={styles.strip} aria-label={WORDED.label}>
      <div className={styles.line}>
        <Icon shape={isShown ? Eye : EyeOff} />
        <p ref={state} role="status" tabIndex={-1}>
          {isShown ? WORDED.shown : WORDED.hidden}
        </p>
        {isShown ? (
          <>
            <RecordLink seq={reveal.seq} onSelect={onSelect}>
              {WORDED.asRecord(reveal.seq)}
            </RecordLink>
            <Button
              look="quiet"
              onClick={() => {
                hide()
                close()
              }}
            >
              {WORDED.hide}
            </Button>
          </>
        ) : (
          form === 'closed' && (
            <Button look="quiet" onClick={() => setForm('open')}>
              {WORDED.reveal}
            </Button>
          )
        )}
      </div>
      {!isShown && form === 'open' && (
        <ReasonForm reveal={reveal} onAsk={(reason) => ask(type, reason)} onCancel={close} />
      )}
    </section>
  )
}

interface ReasonFormProps {
  readonly reveal: Revealing['reveal']
  readonly onAsk: (reason: string) => void
  readonly onCancel: () => void
}

function ReasonForm({ reveal, onAsk, onCancel }: ReasonFormProps) {
  const [reason, write] = useState('')
  const missing = reason.trim() === '' ? [{ field: REASON, message: WORDED.missing }] : []
  const { errors, check } = useFieldErrors(missing)
  useEffect(() => document.getElementById(REASON)?.focus(), [])
  return (
    <Form errors={errors} onSubmit={() => check() && onAsk(reason.trim())}>
      <TextField
        id={REASON}
        label={WORDED.reason}
        hint={WORDED.reasonHint}
        error={errorAt(errors, REASON)}
        value={reason}
        maxLength={REASON_MAX}
        onChange={write}
      />
      {reveal.status === 'failed' && <Banner tone="problem">{WORDED.failed}</Banner>}
      <ButtonRow>
        <Button look="quiet" onClick={onCancel}>
          {WORDED.cancel}
        </Button>
        <Button type="submit" readiness={reveal.status === 'recording' ? 'waiting' : 'ready'}>
          {WORDED.record}
        </Button>
      </ButtonRow>
    </Form>
  )
}
