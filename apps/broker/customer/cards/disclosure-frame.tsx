import { CircleCheck } from 'lucide'
import type { ReactNode } from 'react'
import { FullText, KeyFacts } from '../../../kit/index.ts'
import { blocksBehind } from '../../disclosures/key-facts.ts'
import { CardFrame } from '../card-frame.tsx'
import { Blocks } from '../disclosure-text.tsx'
import type { DisclosureText, ShownDisclosure } from '../use-disclosure.ts'
import { DisclosureBar, FULL_TEXT_ID } from './disclosure-bar.tsx'
import { DISCLOSURE_WORDS } from './disclosure-words.ts'
import styles from './disclosure.module.css'
import { FACT_ICONS } from './fact-icons.ts'
import { PendingText } from './pending-text.tsx'
import { readingMinutes } from './reading-time.ts'

export interface DisclosureFrameProps {
  readonly id: keyof typeof FACT_ICONS
  readonly title: string
  readonly lead: string
  readonly shown: ShownDisclosure
  /** Above the key facts. */
  readonly before?: ReactNode
  /** Between the key facts and the full text. */
  readonly children?: ReactNode
  /** The buttons; each answers exactly the text that is shown. */
  readonly actions: (text: DisclosureText) => ReactNode
}

/** A regulated text: its key facts, then the full text, with the buttons always in sight. */
export function DisclosureFrame(props: DisclosureFrameProps) {
  const { id, title, lead, shown, before, children, actions } = props
  if (shown.status !== 'shown') {
    return (
      <CardFrame title={title} lead={lead}>
        {before}
        {children}
        <PendingText shown={shown} />
      </CardFrame>
    )
  }
  const { text } = shown
  return (
    <CardFrame
      title={title}
      lead={lead}
      actions={<DisclosureBar keyFacts={text.keyFacts}>{actions(text)}</DisclosureBar>}
    >
      {before}
      {text.keyFacts.length > 0 && <KeyFacts facts={withIcons(id, text)} />}
      {children}
      <ApprovedText text={text} />
    </CardFrame>
  )
}

function ApprovedText({ text }: { readonly text: DisclosureText }) {
  const { version, minutes, end } = DISCLOSURE_WORDS
  const blocks = blocksBehind(text.keyFacts, text.body)
  return (
    <div id={FULL_TEXT_ID} className={styles.fullText}>
      <FullText
        title={text.title}
        version={version(text.version, minutes(readingMinutes(blocks)))}
        end={end}
      >
        <Blocks blocks={blocks} />
      </FullText>
    </div>
  )
}

function withIcons(id: keyof typeof FACT_ICONS, { keyFacts }: DisclosureText) {
  return keyFacts.map((fact, index) => ({ ...fact, icon: FACT_ICONS[id][index] ?? CircleCheck }))
}
