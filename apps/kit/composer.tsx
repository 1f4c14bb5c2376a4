import { useId, useRef } from 'react'
import { startOf } from 'throughline/client'
import type { Readiness } from './button.tsx'
import styles from './chat.module.css'
import { ComposerButton, mayStop } from './composer-button.tsx'
import { useDictation } from './dictation.ts'
import { messageDraftKey } from './message-draft.ts'
import { useDraft } from './use-draft.ts'
import type { Stop } from './use-stop.ts'
import { VoiceButton } from './voice-button.tsx'
import { WORDS } from './words.ts'

/** The longest message that the server takes. */
const MESSAGE_CHARS_MAX = 4_000

const NOTHING = { text: '' }

export interface ComposerProps {
  readonly readiness: Readiness
  readonly onSend: (text: string) => void
  /**
   * `offered`: Enter sends while a reply is written or the page is offline too, and the message waits.
   * `full`: no more messages may wait.
   */
  readonly queue?: 'offered' | 'full'
  /** Stops the reply, where that is possible. */
  readonly stop?: Stop
  /** Whether speaking is offered beside typing, where the browser can listen. */
  readonly voice?: 'offered'
}

/**
 * The field for a person's message; Enter sends, Shift and Enter begins a new line, Escape stops the reply. A
 * reload keeps the text.
 */
export function Composer({ readiness, onSend, queue, stop, voice }: ComposerProps) {
  const id = useId()
  const [{ text }, setDraft, forgetDraft] = useDraft(messageDraftKey(location.pathname), NOTHING)
  const before = useRef('')
  const dictation = useDictation((heard) => {
    const joined = `${before.current} ${heard}`.trimStart()
    setDraft({ text: startOf(joined, MESSAGE_CHARS_MAX) })
  })
  const speaking = voice === 'offered' ? dictation : undefined
  const send = (): void => {
    const message = text.trim()
    if (message === '' || queue === 'full' || (readiness === 'waiting' && !queue)) return
    speaking?.stop()
    setDraft(NOTHING)
    forgetDraft()
    onSend(message)
  }
  return (
    <form
      className={styles.composer}
      onKeyDown={(event) => {
        // A key that is held down on Send must not go on to stop the reply.
        if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={styles.message}>
        <label className={styles.label} htmlFor={id}>
          {WORDS.chat.message}
        </label>
        <textarea
          id={id}
          className={styles.input}
          rows={1}
          dir="auto"
          maxLength={MESSAGE_CHARS_MAX}
          value={text}
          onChange={(event) => setDraft({ text: event.target.value })}
          onKeyDown={(event) => {
            // A word that is still being composed ends with Enter, or is given up with Escape.
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape' && stop && mayStop(stop)) {
              // Escape must not also close a dialog around the conversation.
              event.preventDefault()
              stop.stop()
            }
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            send()
          }}
        />
      </div>
      {speaking && (
        <VoiceButton
          dictation={speaking}
          onStart={() => {
            before.current = text.trim()
            speaking.start()
          }}
        />
      )}
      <ComposerButton readiness={readiness} stop={stop} />
      {stop && (
        <p className={styles.told} role="status">
          {stop.status === 'failed' || stop.status === 'late' ? WORDS.stop[stop.status] : ''}
        </p>
      )}
    </form>
  )
}
