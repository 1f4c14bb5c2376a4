import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import type { FollowEnd, Turns } from '../../kit/index.ts'
import { Button, forgetDraft } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { CardOutcome } from './card-outcome.tsx'
import type { CardName } from './current-card.ts'
import styles from './customer.module.css'
import { draftKey } from './draft-key.ts'
import { CARDS } from './drawn-cards.ts'
import { readTrust } from './trust.ts'
import type { OpenCard } from './use-open-card.ts'
import { WORDS } from './words.ts'

export interface CardPlaceProps extends CardProps {
  readonly open: OpenCard
  readonly turns: Turns
  /** Shows what comes of the customer's act, and what was said of it beside the card. */
  readonly following: Pick<FollowEnd, 'follow' | 'grow'>
  /** Asks how to leave, at the way that ends the case. */
  readonly onWithdraw: () => void
}

/** Draws the one open card and what becomes of a press on it, and shows the card that follows. */
export function CardPlace({ open, turns, following, ...card }: CardPlaceProps) {
  const place = useRef<HTMLDivElement>(null)
  useNewCardInView(place, open, following)
  const Drawn = CARDS[readTrust()][open.card]
  return (
    <div className={styles.cardPlace}>
      <div ref={place}>
        <Drawn
          {...card}
          onAmend={() => open.change('details')}
          onChange={open.change}
          onGoOn={() => {
            open.act()
            void turns.take({}, 'card')
          }}
        />
      </div>
      <CardOutcome turns={turns} place="card" />
      {open.opened === 'again' && (
        <Button
          look="secondary"
          onClick={() => {
            forgetDraft(draftKey(open.card, card.entry))
            open.act()
            open.close()
          }}
        >
          {WORDS.cancel}
        </Button>
      )}
    </div>
  )
}

/** The card that comes of a customer's act takes the focus; one that comes otherwise takes none away. */
function useNewCardInView(
  place: RefObject<HTMLDivElement | null>,
  { card, acts, field }: OpenCard,
  { follow, grow }: CardPlaceProps['following'],
): void {
  const shown = useRef<{ readonly card: CardName; readonly acts: number }>(undefined)
  useEffect(() => {
    const before = shown.current
    if (before?.card === card) return
    shown.current = { card, acts }
    const isPersons = before?.acts !== acts || document.activeElement === document.body
    if (!isPersons) return
    follow()
    const asked = field === undefined ? null : document.getElementById(field)
    if (asked) return showField(asked)
    if (before) headingIn(place.current)?.focus({ preventScroll: true })
    bringIntoView(place.current)
    // What was said may have come before the card, which has now pushed it out of sight.
    if (before) grow()
  }, [place, card, acts, field, follow, grow])
}

function showField(field: HTMLElement): void {
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}

function headingIn(place: HTMLElement | null): HTMLElement | null | undefined {
  return place?.querySelector<HTMLElement>('[data-card-heading]')
}

/** A card that is too tall for the window shows its top. */
function bringIntoView(place: HTMLElement | null): void {
  const top = place?.getBoundingClientRect().top ?? 0
  place?.scrollIntoView({ block: top < 0 ? 'start' : 'nearest' })
}
