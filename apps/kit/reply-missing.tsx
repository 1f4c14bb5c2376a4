import { TryAgainBanner } from './try-again-banner.tsx'
import { isToldInChat } from './turn-problem.tsx'
import type { Chat } from './use-chat.ts'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

export interface ReplyMissingProps {
  readonly chat: Pick<Chat, 'missing'>
  readonly turns: Turns
}

/** Says that the last turn got no whole reply, as the log has it, unless the page says so of its own turn. */
export function ReplyMissing({ chat: { missing }, turns }: ReplyMissingProps) {
  if (!missing || turns.failed.some(isToldInChat)) return null
  return (
    <TryAgainBanner turns={turns} onTryAgain={missing.askAgain}>
      {missing.status === 'begun' ? WORDS.turn.interrupted : WORDS.turn.modelFailed}
    </TryAgainBanner>
  )
}
