import { CardFrame } from '../card-frame.tsx'
import { ENDING_WORDS } from './ending-words.ts'

/** Until the installer hands the application over. */
export function HandoffCard() {
  const { title, lead } = ENDING_WORDS.handoff
  return <CardFrame title={title} lead={lead} />
}
