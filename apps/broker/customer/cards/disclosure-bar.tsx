import { ArrowDown } from 'lucide'
import type { ReactNode } from 'react'
import { Icon, ReadingLine } from '../../../kit/index.ts'
import type { DisclosureText } from '../use-disclosure.ts'
import { DISCLOSURE_WORDS } from './disclosure-words.ts'
import styles from './disclosure.module.css'

export const FULL_TEXT_ID = 'full-text'

export interface DisclosureBarProps extends Pick<DisclosureText, 'keyFacts'> {
  readonly children: ReactNode
}

/** Shows the reading progress, a link to the full text, and the buttons, which are always enabled. */
export function DisclosureBar({ keyFacts, children }: DisclosureBarProps) {
  const { jump, jumpUnderPoints, readIt } = DISCLOSURE_WORDS
  return (
    <>
      <div className={styles.read}>
        <ReadingLine />
      </div>
      <p className={styles.jump}>
        <span>{keyFacts.length > 0 ? jumpUnderPoints : jump}</span>
        <a
          href={`#${FULL_TEXT_ID}`}
          onClick={(event) => {
            // The fragment holds the recovery seed.
            event.preventDefault()
            showFullText()
          }}
        >
          {readIt}
          <Icon shape={ArrowDown} />
        </a>
      </p>
      {children}
    </>
  )
}

function showFullText(): void {
  const text = document.getElementById(FULL_TEXT_ID)
  const heading = text?.querySelector('h2')
  text?.scrollIntoView()
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
