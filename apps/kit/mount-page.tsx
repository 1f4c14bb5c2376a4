import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { enterPage } from './enter-page.ts'
import type { PageEntry } from './enter-page.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Notice } from './notice.tsx'
import type { PageRole } from './session-request.ts'
import { WORDS } from './words.ts'

/** Draws a page of one thread, once its link has opened it; `threadSegment` is where its path names it. */
export async function mountThreadPage(
  role: PageRole,
  draw: (entry: PageEntry) => ReactNode,
  threadSegment?: number,
): Promise<void> {
  const entry = await enterPage(role, threadSegment)
  mountPage(
    entry ? (
      draw(entry)
    ) : (
      <Notice title={WORDS.connection.refusedTitle}>{WORDS.connection.invalidLink}</Notice>
    ),
  )
}

export function mountPage(page: ReactNode): void {
  const place = document.getElementById('page')
  if (!place) throw new Error("Cannot draw the page: it has no element 'page'")
  createRoot(place).render(<ErrorBoundary>{page}</ErrorBoundary>)
}
