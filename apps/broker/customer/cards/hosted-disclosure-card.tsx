import { Card, LinkButton } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { currentCard, disclosureOf } from '../current-card.ts'
import { WORDS } from '../words.ts'

/** Sends the customer to the broker's own page; the stream tells here what they answered there. */
export function HostedDisclosureCard({ entry, view }: CardProps) {
  const id = disclosureOf(currentCard(view)) ?? ''
  const path = ['broker', 'disclosure', entry.thread, id].map(encodeURIComponent).join('/')
  return (
    <Card title={WORDS.hosted.card.title}>
      <p>{WORDS.hosted.card.text}</p>
      {/* The fragment holds the recovery seed, for a server that may have lost the case. */}
      <LinkButton href={`/${path}${location.hash}`} opens="in a new tab">
        {WORDS.hosted.card.open}
      </LinkButton>
      <p>{WORDS.hosted.card.again}</p>
    </Card>
  )
}
