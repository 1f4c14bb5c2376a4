import type { Readiness } from '../../../kit/index.ts'
import { Button, SummaryList } from '../../../kit/index.ts'
import styles from '../cards/cards.module.css'
import { CardFrame } from '../card-frame.tsx'
import type { DetailsDraft } from './draft.ts'
import { PARTS, partOf } from './parts.ts'
import { shownAnswers } from './shown-answers.ts'
import { WORDS } from './words.ts'

export interface CheckAnswersProps {
  readonly draft: DetailsDraft
  readonly readiness: Readiness
  /** Goes back to the form, to this field of it. */
  readonly onChange: (field: keyof DetailsDraft) => void
  readonly onSave: () => void
}

/** All answers of the form, part by part, before they are saved. */
export function CheckAnswers({ draft, readiness, onChange, onSave }: CheckAnswersProps) {
  const answers = shownAnswers(draft)
  return (
    <CardFrame
      title={WORDS.check.title}
      lead={WORDS.check.lead}
      actions={
        <Button readiness={readiness} onClick={onSave}>
          {WORDS.check.save}
        </Button>
      }
    >
      {PARTS.map((part) => (
        <div key={part} className={`${styles.panel} ${styles.list}`}>
          <SummaryList
            rows={answers
              .filter(({ field }) => partOf(field) === part)
              .map(({ field, name, value }) => ({ name, value, onChange: () => onChange(field) }))}
          />
        </div>
      ))}
      <p className={styles.small}>{WORDS.check.next}</p>
    </CardFrame>
  )
}
