import { Banner } from './banner.tsx'
import { TryAgainBanner } from './try-again-banner.tsx'
import { isToldInChat } from './turn-problem.tsx'
import type { Chat } from './use-chat.ts'
import type { Turns } from './use-turns.ts'
import { WORDS } from './words.ts'

export interface ReplyMissingProps {
  readonly chat: Pick<Chat, 'missing'>
  readonly turns: Turns
}

/** Shows that the last turn of the log got no whole reply, unless the page shows it for its own turn. */
export function ReplyMissing({ chat: { missing }, turns }: ReplyMissingProps) {
  if (!missing || turns.failed.some(isToldInChat)) return null
  // The same words asked again are declined again.
  if (missing.status === 'declined') {
    return <Banner tone="problem">{WORDS.turn.modelDeclined}</Banner>
  }
  if (missing.status === 'limited') {
    return <Banner tone="problem">{WORDS.turn.modelLimited}</Banner>
  }
  return (
    <TryAgainBanner turns={turns} onTryAgain={missing.askAgain}>
      {missing.status === 'begun' ? WORDS.turn.interrupted : WORDS.turn.modelFailed}
    </TryAgainBanner>
  )
}
