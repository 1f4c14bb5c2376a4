import { useEffect } from 'react'
import type { PageEntry } from '../../kit/index.ts'
import { forgetDraft } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'
import { isNothingSubmitted } from './case-view.ts'
import { currentCard, isEnded } from './current-card.ts'
import { draftKey } from './draft-key.ts'

/** Removes drafts that can no longer be recorded. */
export function useEndedDrafts(entry: PageEntry, view: CaseView): void {
  const isOver = isEnded(currentCard(view)) || !isNothingSubmitted(view)
  useEffect(() => {
    if (isOver) forgetDraft(draftKey('details', entry))
  }, [isOver, entry])
}
