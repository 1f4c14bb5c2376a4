import { Button } from '../../kit/index.ts'
import { readBody } from '../disclosures/body.ts'
import type { Block } from '../disclosures/body.ts'
import styles from './customer.module.css'
import type { ShownDisclosure } from './use-disclosure.ts'
import { WORDS } from './words.ts'

export function DisclosureText({ shown }: { readonly shown: ShownDisclosure }) {
  switch (shown.status) {
    case 'loading':
      return <p role="status">{WORDS.disclosure.loading}</p>
    case 'failed':
      return (
        <>
          <p role="alert">{WORDS.disclosure.failed}</p>
          <Button look="secondary" onClick={shown.retry}>
            {WORDS.tryAgain}
          </Button>
        </>
      )
    case 'shown':
      return (
        <div className={styles.prose} dir="auto">
          {readBody(shown.text.body).map(drawBlock)}
        </div>
      )
  }
}

function drawBlock(block: Block, index: number) {
  if (block.kind === 'paragraph') return <p key={index}>{block.text}</p>
  return (
    <ul key={index} className={styles.list}>
      {block.items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}

/** The disclosure's own title, or a stand-in until it is there. */
export function titleOf(shown: ShownDisclosure): string {
  return shown.status === 'shown' ? shown.text.title : WORDS.next
}
