import {
  Button,
  Card,
  ChoiceField,
  Form,
  errorAt,
  useDraft,
  useFieldErrors,
} from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { draftKey } from '../draft-key.ts'
import { WORDS } from '../words.ts'

const CRITERIA = ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'] as const
const UNANSWERED = { isOver18: '', isUkResident: '', isHomeowner: '', isEmployed: '' }

const ANSWERS = [
  { value: 'yes', label: WORDS.yes },
  { value: 'no', label: WORDS.no },
]

export function EligibilityCard({ entry, readiness, record }: CardProps) {
  const [answers, setAnswers, forget] = useDraft(draftKey('eligibility', entry), UNANSWERED)
  const { errors, check } = useFieldErrors(
    CRITERIA.filter((each) => answers[each] === '').map((each) => ({
      field: each,
      message: WORDS.eligibility.unanswered(WORDS.eligibility.questions[each]),
    })),
  )
  const submit = (): void => {
    if (!check()) return
    const data = Object.fromEntries(CRITERIA.map((each) => [each, answers[each] === 'yes']))
    record([{ type: 'record_eligibility', data }], forget)
  }
  return (
    <Card title={WORDS.eligibility.title}>
      <p>{WORDS.eligibility.text}</p>
      <Form errors={errors} onSubmit={submit}>
        {CRITERIA.map((criterion) => (
          <ChoiceField
            key={criterion}
            id={criterion}
            kind="one"
            label={WORDS.eligibility.questions[criterion]}
            chosen={[answers[criterion]]}
            options={ANSWERS}
            error={errorAt(errors, criterion)}
            onChange={([answer = '']) => setAnswers({ ...answers, [criterion]: answer })}
          />
        ))}
        <Button type="submit" readiness={readiness}>
          {WORDS.continue}
        </Button>
      </Form>
    </Card>
  )
}
