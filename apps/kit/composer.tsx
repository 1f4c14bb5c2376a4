import { useId, useRef } from 'react'
import type { Readiness } from './button.tsx'
import { Button } from './button.tsx'
import styles from './chat.module.css'
import { useDictation } from './dictation.ts'
import { useDraft } from './use-draft.ts'
import { VoiceButton } from './voice-button.tsx'
import { WORDS } from './words.ts'

/** The longest message that the server takes. */
const MESSAGE_CHARS_MAX = 4_000

const NOTHING = { text: '' }

export interface ComposerProps {
  readonly readiness: Readiness
  readonly onSend: (text: string) => void
  /** Whether speaking is offered beside typing, where the browser can listen. */
  readonly voice?: 'offered'
}

/** Where a person writes; Enter sends, Shift and Enter begins a new line. A reload keeps the text. */
export function Composer({ readiness, onSend, voice }: ComposerProps) {
  const id = useId()
  const [{ text }, setDraft, forgetDraft] = useDraft(`message ${location.pathname}`, NOTHING)
  const before = useRef('')
  const dictation = useDictation((heard) => {
    const joined = `${before.current} ${heard}`.trimStart()
    setDraft({ text: joined.slice(0, MESSAGE_CHARS_MAX) })
  })
  const speaking = voice === 'offered' ? dictation : undefined
  const send = (): void => {
    const message = text.trim()
    if (message === '' || readiness === 'waiting') return
    speaking?.stop()
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
      {speaking && (
        <VoiceButton
          dictation={speaking}
          onStart={() => {
            before.current = text.trim()
            speaking.start()
          }}
        />
      )}
      <Button type="submit" readiness={readiness}>
        {readiness === 'waiting' ? WORDS.chat.sending : WORDS.chat.send}
      </Button>
    </form>
  )
}
