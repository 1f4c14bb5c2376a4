import { Button, ChoiceField, errorAt, useDraft, useFieldErrors } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { draftKey } from '../draft-key.ts'
import { WORDS } from '../words.ts'
import { ELIGIBILITY_WORDS } from './eligibility-words.ts'

const CRITERIA = ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'] as const
const UNANSWERED = { isOver18: '', isUkResident: '', isHomeowner: '', isEmployed: '' }

const ANSWERS = [
  { value: 'yes', label: WORDS.yes },
  { value: 'no', label: WORDS.no },
]

/** Four questions that lenders need a yes to, each with no answer until the customer gives one. */
export function EligibilityCard({ entry, readiness, record }: CardProps) {
  const { title, lead, questions, hints, unanswered } = ELIGIBILITY_WORDS
  const [answers, setAnswers, forget] = useDraft(draftKey('eligibility', entry), UNANSWERED)
  const { errors, check } = useFieldErrors(
    CRITERIA.filter((each) => answers[each] === '').map((each) => ({
      field: each,
      message: unanswered[each],
    })),
  )
  const submit = (): void => {
    if (!check()) return
    const data = Object.fromEntries(CRITERIA.map((each) => [each, answers[each] === 'yes']))
    record([{ type: 'record_eligibility', data }], forget)
  }
  return (
    <CardFrame
      title={title}
      lead={lead}
      errors={errors}
      onSubmit={submit}
      actions={
        <Button type="submit" readiness={readiness}>
          {WORDS.continue}
        </Button>
      }
    >
      {CRITERIA.map((criterion) => (
        <ChoiceField
          key={criterion}
          id={criterion}
          kind="one"
          layout="pair"
          label={questions[criterion]}
          hint={hints[criterion]}
          chosen={[answers[criterion]]}
          options={ANSWERS}
          error={errorAt(errors, criterion)}
          onChange={([answer = '']) => setAnswers({ ...answers, [criterion]: answer })}
        />
      ))}
    </CardFrame>
  )
}
