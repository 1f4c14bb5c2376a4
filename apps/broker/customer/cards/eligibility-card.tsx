import { useState } from 'react'
import type { FieldError } from '../../../kit/index.ts'
import { Button, Card, ChoiceField, Form, errorAt } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { WORDS } from '../words.ts'

const CRITERIA = ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed'] as const
type Criterion = (typeof CRITERIA)[number]

const ANSWERS = [
  { value: 'yes', label: WORDS.yes },
  { value: 'no', label: WORDS.no },
]

export function EligibilityCard({ readiness, record }: CardProps) {
  const [answers, setAnswers] = useState<Partial<Record<Criterion, string>>>({})
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const submit = (): void => {
    const found = CRITERIA.filter((each) => !answers[each]).map((each) => ({
      field: each,
      message: WORDS.eligibility.unanswered(WORDS.eligibility.questions[each]),
    }))
    setErrors(found)
    if (found.length > 0) return
    const data = Object.fromEntries(CRITERIA.map((each) => [each, answers[each] === 'yes']))
    record([{ type: 'record_eligibility', data }])
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
            chosen={[answers[criterion] ?? '']}
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
