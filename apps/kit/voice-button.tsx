import { Button } from './button.tsx'
import styles from './chat.module.css'
import type { Dictation } from './dictation.ts'
import { WORDS } from './words.ts'

export interface VoiceButtonProps {
  readonly dictation: Dictation
  readonly onStart: () => void
}

/** Starts and stops listening. Only the person sends the heard text. */
export function VoiceButton({ dictation, onStart }: VoiceButtonProps) {
  const { status, stop } = dictation
  return (
    <>
      <Button look="quiet" onClick={status === 'listening' ? stop : onStart}>
        {status === 'listening' ? WORDS.voice.stop : WORDS.voice.start}
      </Button>
      <p className={styles.voice} role="status">
        {WORDS.voice.status[status]}
      </p>
    </>
  )
}
