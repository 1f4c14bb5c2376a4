import type { ReactNode } from 'react'
import { readBody } from '../disclosures/body.ts'
import type { Block } from '../disclosures/body.ts'
import { PendingText } from './cards/pending-text.tsx'
import styles from './cards/disclosure.module.css'
import type { ShownDisclosure } from './use-disclosure.ts'

export interface DisclosureTextProps {
  readonly shown: ShownDisclosure
  /** Draws a piece of the text, with links for example; its words must stay as they are. */
  readonly draw?: (text: string) => ReactNode
}

/** A regulated text as it was approved, or a placeholder until it is there. */
export function DisclosureText({ shown, draw }: DisclosureTextProps) {
  if (shown.status !== 'shown') return <PendingText shown={shown} />
  return (
    <div className={styles.prose} dir="auto">
      <Blocks blocks={readBody(shown.text.body)} {...(draw && { draw })} />
    </div>
  )
}

interface BlocksProps extends Pick<DisclosureTextProps, 'draw'> {
  readonly blocks: readonly Block[]
}

export function Blocks({ blocks, draw = (text) => text }: BlocksProps) {
  return blocks.map((block, index) =>
    block.kind === 'paragraph' ? (
      <p key={index}>{draw(block.text)}</p>
    ) : (
      <ul key={index}>
        {block.items.map((item) => (
          <li key={item}>{draw(item)}</li>
        ))}
      </ul>
    ),
  )
}
