import type { IconNode } from 'lucide'
import { Columns3, ListTree, Smartphone, Tablet } from 'lucide'
import { Button, Icon, LinkButton, Tag, VisuallyHidden, dateTime } from '../kit/index.ts'
import { demonstrationAddress, linksOf } from './case-links.ts'
import styles from './home.module.css'
import type { KeptCase } from './kept-cases.ts'
import { useStartedCase } from './use-started-case.ts'
import { WORDS } from './words.ts'

export interface StartedCasesProps {
  readonly cases: readonly KeptCase[]
  readonly onForget: (sessionId: string) => void
}

/** The way back to the cases that were started here. */
export function StartedCases({ cases, onForget }: StartedCasesProps) {
  if (cases.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="cases">
      <h2 id="cases">{WORDS.cases.title}</h2>
      <p className={styles.soft}>{WORDS.cases.text}</p>
      <ul className={styles.cases}>
        {cases.map((kept) => (
          <StartedCase key={kept.sessionId} kept={kept} onForget={() => onForget(kept.sessionId)} />
        ))}
      </ul>
    </section>
  )
}

interface StartedCaseProps {
  readonly kept: KeptCase
  readonly onForget: () => void
}

function StartedCase({ kept, onForget }: StartedCaseProps) {
  const when = dateTime(kept.startedAt)
  const standing = useStartedCase(kept.sessionId)
  return (
    <li className={styles.case}>
      <div>
        <div className={styles.name}>
          <h3>
            <bdi>{standing?.name ?? WORDS.cases.unnamed}</bdi>
          </h3>
          {kept.kind === 'demonstration' && <Tag tone="outline">{WORDS.cases.demonstration}</Tag>}
        </div>
        {standing && <p className={styles.stands}>{standing.stands}</p>}
        <p className={styles.when}>{WORDS.cases.started(when)}</p>
      </div>
      <ul className={styles.pages}>
        {pagesOf(kept).map(([href, text, shape]) => (
          <li key={text}>
            <LinkButton look="quiet" href={href}>
              <Icon shape={shape} /> {text} <VisuallyHidden>{when}</VisuallyHidden>
            </LinkButton>
          </li>
        ))}
        <li>
          <Button look="bare" onClick={onForget}>
            {WORDS.cases.forget} <VisuallyHidden>{when}</VisuallyHidden>
          </Button>
        </li>
      </ul>
    </li>
  )
}

type ShownPage = readonly [href: string, text: string, shape: IconNode]

function pagesOf({ sessionId, kind }: KeptCase): readonly ShownPage[] {
  const { installer, customer, audit } = linksOf(sessionId)
  const together: ShownPage = [demonstrationAddress(sessionId), WORDS.cases.together, Columns3]
  return [
    ...(kind === 'demonstration' ? [together] : []),
    [installer, WORDS.cases.installer, Tablet],
    [customer, WORDS.cases.customer, Smartphone],
    [audit, WORDS.cases.audit, ListTree],
  ]
}
