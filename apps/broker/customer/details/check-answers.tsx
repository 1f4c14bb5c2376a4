import type { Readiness } from '../../../kit/index.ts'
import { Button, SummaryList } from '../../../kit/index.ts'
import type { DetailsDraft } from './draft.ts'
import { shownAnswers } from './shown-answers.ts'
import { WORDS } from './words.ts'

export interface CheckAnswersProps {
  readonly draft: DetailsDraft
  readonly readiness: Readiness
  /** Goes back to the form, to this field of it. */
  readonly onChange: (field: keyof DetailsDraft) => void
  readonly onRecord: () => void
}

export function CheckAnswers({ draft, readiness, onChange, onRecord }: CheckAnswersProps) {
  const rows = shownAnswers(draft).map(({ field, name, value }) => {
    return { name, value, onChange: () => onChange(field) }
  })
  return (
    <>
      <SummaryList rows={rows} />
      <p>{WORDS.check.text}</p>
      <Button readiness={readiness} onClick={onRecord}>
        {WORDS.check.record}
      </Button>
    </>
  )
}
