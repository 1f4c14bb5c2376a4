import { useId } from 'react'
import type { Readiness } from './button.tsx'
import { Button } from './button.tsx'
import styles from './chat.module.css'
import { useDraft } from './use-draft.ts'
import { WORDS } from './words.ts'

/** The longest message that the server takes. */
const MESSAGE_CHARS_MAX = 4_000

const NOTHING = { text: '' }

export interface ComposerProps {
  readonly readiness: Readiness
  readonly onSend: (text: string) => void
}

/** Where a person writes; Enter sends, Shift and Enter begins a new line. A reload keeps the text. */
export function Composer({ readiness, onSend }: ComposerProps) {
  const id = useId()
  const [{ text }, setDraft, forgetDraft] = useDraft(`message ${location.pathname}`, NOTHING)
  const send = (): void => {
    const message = text.trim()
    if (message === '' || readiness === 'waiting') return
    setDraft(NOTHING)
    forgetDraft()
    onSend(message)
  }
  return (
    <form
      className={styles.composer}
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
          maxLength={MESSAGE_CHARS_MAX}
          value={text}
          onChange={(event) => setDraft({ text: event.target.value })}
          onKeyDown={(event) => {
            // A word that is still being composed ends with Enter too.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
      </div>
      <Button type="submit" readiness={readiness}>
        {readiness === 'waiting' ? WORDS.chat.sending : WORDS.chat.send}
      </Button>
    </form>
  )
}
