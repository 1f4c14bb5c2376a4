import { Button } from '../../kit/index.ts'
import styles from './thread.module.css'
import { PromptText } from './turn-list.tsx'
import type { PendingPrompt } from './use-prompt.ts'
import { WORDS } from './words.ts'

export interface PendingBubbleProps {
  readonly prompt: PendingPrompt
  /** Whether agents are at work on what was asked before. */
  readonly ahead: 'none' | 'some'
}

/** A prompt at once when it is sent; the stream shows it once it is recorded. */
export function PendingBubble({ prompt: { agent, text, state }, ahead }: PendingBubbleProps) {
  return (
    <div className={styles.turn}>
      <PromptText agent={agent} text={text} />
      {state.status === 'sending' ? (
        <p className={styles.note}>{ahead === 'none' ? WORDS.ask.sending : WORDS.ask.queued}</p>
      ) : (
        <div className={styles.failure} role="alert">
          {WORDS.ask.notSent}
          {state.why !== '' && <span className={styles.note}>{state.why}</span>}
          <Button look="secondary" onClick={state.retry}>
            {WORDS.ask.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}
