import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import type { Turns } from '../../kit/index.ts'
import { Button, forgetDraft, inBackground } from '../../kit/index.ts'
import type { AskProps, CardProps, SheetProps } from './actions.ts'
import type { ChangeAnswer } from './answers.ts'
import { AnsweredCard } from './answered-card.tsx'
import { CardFocusContext } from './card-frame.tsx'
import { currentCard } from './current-card.ts'
import type { PartPages } from './details/details-card.tsx'
import { draftKey } from './draft-key.ts'
import { CARDS } from './drawn-cards.ts'
import styles from './journey.module.css'
import { SavedCard } from './saved-card.tsx'
import type { Screen } from './screen.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { placeOf, stepOf } from './steps.ts'
import { readTrust } from './trust.ts'

export interface CardPlaceProps extends CardProps, SheetProps, AskProps {
  readonly screen: Screen
  readonly turns: Turns
  /** The number of the customer's acts; a card after an act takes the focus. */
  readonly acts: number
  /** `sheet`: an open sheet has the focus. */
  readonly cover: 'none' | 'sheet'
  readonly parts: PartPages
  readonly onAct: () => void
  readonly onChange: ChangeAnswer
  readonly onToOpen: () => void
  readonly onCarryOn: () => void
}

/** Draws the one card that the page shows. */
export function CardPlace(props: CardPlaceProps) {
  const { screen, acts, cover } = props
  const place = useRef<HTMLDivElement>(null)
  useNewCardFocus(place, { screen, acts, cover })
  return (
    <div ref={place} className={styles.card}>
      <CardFocusContext value={acts > 0 ? 'taken' : 'left'}>
        <Shown {...props} />
      </CardFocusContext>
    </div>
  )
}

function Shown(props: CardPlaceProps) {
  const { screen, turns, onAct, onChange, onToOpen, onCarryOn, ...card } = props
  const openStep = stepOf(placeOf(currentCard(card.view)))
  if (screen.kind === 'saved') {
    return (
      <SavedCard entry={card.entry} view={card.view} step={openStep ?? 1} onCarryOn={onCarryOn} />
    )
  }
  if (screen.kind === 'answered') {
    return (
      <AnsweredCard
        key={screen.place}
        screen={screen}
        view={card.view}
        openStep={openStep}
        onChange={onChange}
        onToOpen={onToOpen}
      />
    )
  }
  const Drawn = CARDS[readTrust()][screen.card]
  return (
    <Drawn
      {...card}
      field={screen.kind === 'changed' ? screen.field : undefined}
      onAmend={() => onChange('details')}
      onChange={onChange}
      onGoOn={() => {
        onAct()
        inBackground(turns.take({}, 'card'))
      }}
    />
  )
}

export interface CancelChangeProps extends Pick<CardProps, 'entry'> {
  readonly screen: Extract<Screen, { readonly kind: 'changed' }>
  readonly onCancel: () => void
}

/** Closes a card that was opened again, and forgets its draft. */
export function CancelChange({ screen, entry, onCancel }: CancelChangeProps) {
  return (
    <Button
      look="quiet"
      onClick={() => {
        forgetDraft(draftKey(screen.card, entry))
        onCancel()
      }}
    >
      {SHELL_WORDS.cancel}
    </Button>
  )
}

/** The card that comes of a customer's act takes the focus; one that comes otherwise takes none away. */
function useNewCardFocus(
  place: RefObject<HTMLElement | null>,
  { screen, acts, cover }: Pick<CardPlaceProps, 'screen' | 'acts' | 'cover'>,
): void {
  const name = `${screen.kind} ${'card' in screen ? screen.card : screen.place}`
  const field = screen.kind === 'changed' ? screen.field : undefined
  const shown = useRef<{ readonly name: string; readonly acts: number }>(undefined)
  useEffect(() => {
    const before = shown.current
    if (before?.name === name || cover === 'sheet') return
    shown.current = { name, acts }
    if (!before) return
    scrollTo(0, 0)
    const isPersons = before.acts !== acts || document.activeElement === document.body
    if (!isPersons) return
    const asked = field === undefined ? null : document.getElementById(field)
    if (asked) showField(asked)
    else place.current?.querySelector<HTMLElement>('[data-card-heading]')?.focus()
  }, [place, name, acts, field, cover])
}

function showField(field: HTMLElement): void {
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}
