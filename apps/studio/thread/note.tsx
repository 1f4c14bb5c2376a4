import type { NoteItem } from 'throughline/client'
import type { Actor } from '../../kit/index.ts'
import { ActorMark } from '../../kit/index.ts'
import styles from './run.module.css'
import { WORDS } from './words.ts'

/** One line about something that happened. */
export function Note({ item }: { readonly item: NoteItem }) {
  const { words, actor } = lineOf(item)
  return (
    <p className={`${styles.line} ${item.kind === 'failed_attempt' ? styles.failed : ''}`}>
      {actor && <ActorMark actor={actor} />}
      {words}
    </p>
  )
}

function lineOf(item: NoteItem): { readonly words: string; readonly actor: Actor | undefined } {
  switch (item.kind) {
    case 'handoff':
      return { words: WORDS.notes.handoff(item.to), actor: 'model' }
    case 'failed_attempt':
      return { words: WORDS.notes.attempt(item.attempt, item.reason), actor: 'system' }
    case 'event':
      // The caller's view does not say who proposed it.
      return { words: WORDS.notes.event(item.name), actor: undefined }
    case 'refused':
      return { words: WORDS.notes.refused(item.name, item.reason), actor: 'system' }
    case 'history_reset':
      return { words: WORDS.notes.reset, actor: 'system' }
  }
}
