import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageEntry } from './enter-page.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { enterPastedLink } from './fragment.ts'
import { watchInput } from './input-modality.ts'
import { keepSeedInHistory } from './recovery.ts'
import { RefusedNotice } from './refused-notice.tsx'

/** Draws a page of one thread, once its link has opened it. */
export async function mountThreadPage(
  entering: Promise<PageEntry | undefined>,
  draw: (entry: PageEntry) => ReactNode,
  refused: ReactNode = <RefusedNotice />,
): Promise<void> {
  // The right link after a wrong one differs in its fragment alone, which loads nothing by itself.
  addEventListener('popstate', enterPastedLink)
  const entry = await entering
  keepSeedInHistory()
  mountPage(entry ? draw(entry) : refused)
}

export function mountPage(page: ReactNode): void {
  const place = document.getElementById('page')
  if (!place) throw new Error("Cannot draw the page: it has no element 'page'")
  watchInput()
  createRoot(place).render(<ErrorBoundary>{page}</ErrorBoundary>)
}
