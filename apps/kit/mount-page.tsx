import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { DeadEnd } from './dead-end.tsx'
import type { DeadEndProps } from './dead-end.tsx'
import type { PageEntry } from './enter-page.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { enterPastedLink } from './fragment.ts'
import { watchInput } from './input-modality.ts'
import { keepSeedInHistory } from './recovery.ts'
import { RefusedNotice } from './refused-notice.tsx'
import { WORDS } from './words.ts'

/** After this time without an answer of the server, the page says that there is no connection. */
const LATE_MS = 5_000

/** Customers read other words than staff about a link that does not open the page. */
type Reader = DeadEndProps['reader']

/** Draws a page of one thread, once its link has opened it. */
export async function mountThreadPage(
  entering: Promise<PageEntry | undefined>,
  draw: (entry: PageEntry) => ReactNode,
  reader?: Reader,
): Promise<void> {
  // The right link after a wrong one differs in its fragment alone, which loads nothing by itself.
  addEventListener('popstate', enterPastedLink)
  const late = setTimeout(() => {
    mountPage(<DeadEnd {...WORDS.unreachable} reader={reader} />)
  }, LATE_MS)
  const entry = await entering
  clearTimeout(late)
  keepSeedInHistory()
  mountPage(entry ? draw(entry) : <RefusedNotice reader={reader} />)
}

let root: Root | undefined

/** Draws a page, which replaces what the document shows. */
export function mountPage(page: ReactNode): void {
  root ??= newRoot()
  root.render(<ErrorBoundary>{page}</ErrorBoundary>)
}

function newRoot(): Root {
  const place = document.getElementById('page')
  if (!place) throw new Error("Cannot draw the page: it has no element 'page'")
  watchInput()
  return createRoot(place)
}
