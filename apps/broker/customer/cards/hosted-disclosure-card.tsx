import { LinkButton } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { currentCard, disclosureOf } from '../current-card.ts'
import { HOSTED_WORDS } from '../hosted/hosted-words.ts'

/** Sends the customer to the broker's own page; the stream tells here what they answered there. */
export function HostedDisclosureCard({ entry, view }: CardProps) {
  const { title, text, open, again } = HOSTED_WORDS.card
  const id = disclosureOf(currentCard(view)) ?? ''
  const path = ['broker', 'disclosure', entry.thread, id].map(encodeURIComponent).join('/')
  return (
    <CardFrame
      title={title}
      lead={text}
      actions={
        // The fragment holds the recovery seed, for a server that may have lost the case.
        <LinkButton href={`/${path}${location.hash}`} opens="in a new tab">
          {open}
        </LinkButton>
      }
    >
      <p>{again}</p>
    </CardFrame>
  )
}
