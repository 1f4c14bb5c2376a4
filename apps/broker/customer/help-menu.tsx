import { Bookmark, CircleX, HeartHandshake, ListChecks, Phone } from 'lucide'
import { Menu } from '../../kit/index.ts'
import { SHELL_WORDS } from './shell-words.ts'
import type { Pages } from './use-page-history.ts'

const words = SHELL_WORDS.menu

export interface HelpMenuProps {
  readonly pages: Pages
  /** Opens the question about support; absent where answers stay as they are. */
  readonly onSupport: (() => void) | undefined
  readonly exits: 'open' | 'closed'
}

/** All ways to a person and out, on every step. */
export function HelpMenu({ pages, onSupport, exits }: HelpMenuProps) {
  const { openSheet } = pages
  const ways = [
    [Phone, words.person, words.personHint, () => openSheet('person')],
    [HeartHandshake, words.support, words.supportHint, onSupport ?? (() => openSheet('person'))],
    [ListChecks, words.answers, words.answersHint, () => openSheet('answers')],
  ] as const
  const out = [
    [Bookmark, words.save, words.saveHint, () => openSheet('saved')],
    [CircleX, words.withdraw, words.withdrawHint, () => openSheet('withdraw')],
  ] as const
  return (
    <Menu
      label={SHELL_WORDS.help}
      title={words.title}
      items={[...ways, ...(exits === 'open' ? out : [])].map(([icon, title, text, onChoose]) => {
        return { key: title, icon, title, text, act: { onChoose } }
      })}
    />
  )
}
