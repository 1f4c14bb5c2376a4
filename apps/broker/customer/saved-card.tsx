import { Check, TriangleAlert } from 'lucide'
import { useEffect, useState } from 'react'
import type { PageEntry } from '../../kit/index.ts'
import {
  Button,
  CopyField,
  Icon,
  forgetDraft,
  keepSeedForVisits,
  placeOfDraft,
} from '../../kit/index.ts'
import { CardFrame } from './card-frame.tsx'
import type { CaseView } from './case-view.ts'
import { isNothingSubmitted } from './case-view.ts'
import { currentCard } from './current-card.ts'
import { draftKey } from './draft-key.ts'
import styles from './saved-card.module.css'
import { SHELL_WORDS } from './shell-words.ts'
import { placeOf, stepOf } from './steps.ts'

const words = SHELL_WORDS.left

export interface SavedCardProps {
  readonly entry: PageEntry
  readonly view: CaseView
  /** The open step, counted from 1. */
  readonly step: number
  readonly onCarryOn: () => void
}

/** Days from its creation in which a link, and the browser that opened it, open the case. */
export const LINK_DAYS = 30

/** Shows which answers are saved when the customer leaves; leaving records nothing. */
export function SavedCard({ entry, view, step, onCarryOn }: SavedCardProps) {
  useEffect(() => keepSeedForVisits(entry), [entry])
  return (
    <CardFrame
      title={words.title}
      lead={words.here(LINK_DAYS)}
      actions={<Button onClick={onCarryOn}>{words.carryOn}</Button>}
    >
      {step > 1 && (
        <p className={styles.saved}>
          <Icon shape={Check} /> {words.saved(step - 1)}
        </p>
      )}
      <TypedText key={step} entry={entry} view={view} />
      <section className={styles.back}>
        <CopyField
          label={words.address}
          text={`${location.origin}${location.pathname}${location.search}`}
        />
        <p>{words.elsewhere}</p>
      </section>
      <p>{isNothingSubmitted(view) ? words.beforeLenders : words.afterLenders}</p>
      <p className={styles.fine}>{words.lost}</p>
    </CardFrame>
  )
}

/** Shows where unrecorded answers are kept, if there are any. */
function TypedText({ entry, view }: Pick<SavedCardProps, 'entry' | 'view'>) {
  // The details may be open to be changed while another card waits.
  const cards = ['details', currentCard(view)] as const
  const [typed] = useState(() =>
    cards
      .map((card) => ({ card, place: placeOfDraft(draftKey(card, entry)) }))
      .find(({ place }) => place !== undefined),
  )
  const [isRemoved, setRemoved] = useState(false)
  if (isRemoved) return <p role="status">{words.removed}</p>
  if (typed === undefined) return null
  const remove = (): void => {
    for (const card of cards) forgetDraft(draftKey(card, entry))
    setRemoved(true)
  }
  const isKept = typed.place === 'browser'
  const step = stepOf(placeOf(typed.card)) ?? 1
  return (
    <div className={styles.typed}>
      <p className={isKept ? styles.saved : styles.unsaved}>
        <Icon shape={isKept ? Check : TriangleAlert} />{' '}
        {isKept ? words.typedKept(step) : words.typedLost(step)}
      </p>
      <Button look="bare" onClick={remove}>
        {words.remove}
      </Button>
    </div>
  )
}
