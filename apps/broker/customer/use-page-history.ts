import { useEffect, useState, useSyncExternalStore } from 'react'
import type { SheetState } from '../../kit/index.ts'
import type { CaseView } from './case-view.ts'
import { currentCard } from './current-card.ts'
import type { HistoryState, SheetName } from './page-history.ts'
import { PageHistory } from './page-history.ts'
import { answeredTimes, placeOf } from './steps.ts'

export interface Pages
  extends
    HistoryState,
    Pick<
      PageHistory,
      'openAgain' | 'closeAgain' | 'notePart' | 'openPart' | 'openSheet' | 'closeSheet'
    > {
  /** Whether a sheet is open, and how to open and close it. */
  readonly sheetNamed: (name: SheetName) => SheetState
  /** Goes to the question that is open. */
  readonly toOpen: () => void
}

/** The browser's history, kept in step with what the case waits for. */
export function usePageHistory(view: CaseView): Pages {
  const [pages] = useState(() => new PageHistory())
  const state = useSyncExternalStore(pages.subscribe, pages.getSnapshot)
  const open = placeOf(currentCard(view))
  const answered = [...answeredTimes(view).keys()]
  useEffect(() => pages.listen(), [pages])
  useEffect(() => pages.follow(open, answered))
  const { openAgain, closeAgain, notePart, openPart, openSheet, closeSheet } = pages
  const toOpen = (): void => pages.toOpen(open, answered)
  const sheetNamed = (name: SheetName): SheetState => ({
    isOpen: state.sheet === name,
    open: () => openSheet(name),
    close: () => closeSheet(name),
  })
  const acts = { openAgain, closeAgain, notePart, openPart, openSheet, closeSheet }
  return { ...state, ...acts, sheetNamed, toOpen }
}
