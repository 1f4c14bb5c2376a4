import { Button } from '../../kit/index.ts'
import type { PendingPrompt } from './pending-prompts.ts'
import styles from './thread.module.css'
import runStyles from './run.module.css'
import { PromptText } from './turn-list.tsx'
import { WORDS } from './words.ts'

export interface PendingBubbleProps {
  readonly prompt: PendingPrompt
  /** Whether agents are at work on an earlier message. */
  readonly ahead: 'none' | 'some'
  readonly onRetry: () => void
}

/** A prompt at once when it is sent; the stream shows it once it is recorded. */
export function PendingBubble({ prompt, ahead, onRetry }: PendingBubbleProps) {
  const { agent, text, state } = prompt
  const why = state.status === 'failed' ? (state.error.problem?.detail ?? '') : ''
  return (
    <div className={styles.turn}>
      <PromptText agent={agent} text={text} />
      {state.status !== 'failed' ? (
        <p className={runStyles.note}>{ahead === 'none' ? WORDS.ask.sending : WORDS.ask.queued}</p>
      ) : (
        <div className={runStyles.failure} role="alert">
          {WORDS.ask.notSent}
          {why !== '' && <span className={runStyles.note}>{why}</span>}
          <Button look="quiet" onClick={onRetry}>
            {WORDS.ask.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}
