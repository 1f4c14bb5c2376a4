import { Bookmark, CircleX, Phone, RotateCcw } from 'lucide'
import type { ReactNode } from 'react'
import type { SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { CONSENT_WORDS } from './consent-words.ts'
import { Ways } from './ways.tsx'

export interface RefusedConsentProps {
  readonly onAskAgain: () => void
  readonly onSheet: SheetProps['onSheet'] | undefined
  readonly wayBack: ReactNode
}

/** The page after a refusal: its effect, and four ways on with equal weight. */
export function RefusedConsent({ onAskAgain, onSheet, wayBack }: RefusedConsentProps) {
  const words = CONSENT_WORDS.refused
  const again = {
    icon: RotateCcw,
    title: words.again,
    text: words.againMeans,
    onChoose: onAskAgain,
  }
  const others = onSheet
    ? [
        {
          icon: Bookmark,
          title: words.save,
          text: words.saveMeans,
          onChoose: () => onSheet('saved'),
        },
        {
          icon: Phone,
          title: words.person,
          text: words.personMeans,
          onChoose: () => onSheet('person'),
        },
        {
          icon: CircleX,
          title: words.withdraw,
          text: words.withdrawMeans,
          onChoose: () => onSheet('withdraw'),
        },
      ]
    : []
  return (
    <CardFrame title={words.title} lead={words.lead} actions={wayBack}>
      <Ways ways={[again, ...others]} />
    </CardFrame>
  )
}
