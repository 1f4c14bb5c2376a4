import type { Command } from './commands.ts'
import { WORDS } from './words.ts'

/** A page in the palette; by default in the group of the places. */
export type PageInPalette = Pick<Command, 'label' | 'icon'> &
  Partial<Pick<Command, 'group' | 'hint'>>

/** The command that opens a page, by its address or by a function: none for the page that is open. */
export function goTo(to: string | (() => void), place: PageInPalette): readonly Command[] {
  if (to === location.pathname) return []
  const run = typeof to === 'string' ? () => openPage(to) : to
  return [{ group: WORDS.palette.places, ...place, run }]
}

/** A demonstration shows three pages in frames: another place replaces all of them. */
export function openPage(href: string): void {
  ;(window.top ?? window).location.assign(href)
}
