import { useState } from 'react'
import {
  Button,
  ButtonRow,
  ChoiceField,
  Form,
  TextField,
  inBackground,
} from '../../../kit/index.ts'
import { NO_ANSWER, answersOf } from './asked-questions.ts'
import type { AskedQuestion, GivenAnswer } from './asked-questions.ts'
import { tell } from '../team-requests.ts'
import type { Permission } from '../team-requests.ts'
import { WORDS } from '../words.ts'

interface QuestionFormProps {
  readonly permission: Permission
  readonly questions: readonly AskedQuestion[]
}

/** The questions that the program asks a person: they choose, or answer in their own words. */
export function QuestionForm({ permission, questions }: QuestionFormProps) {
  const { request, digest } = permission
  const [given, setGiven] = useState<readonly GivenAnswer[]>([])
  const [fault, setFault] = useState<string>()
  const [sent, setSent] = useState<'no' | 'answers' | 'refusal'>('no')
  const change = (at: number, answer: Partial<GivenAnswer>): void => {
    setFault(undefined)
    setGiven((before) =>
      questions.map((_, index) => ({
        ...(before[index] ?? NO_ANSWER),
        ...(index === at && answer),
      })),
    )
  }
  const send = async (answers: Readonly<Record<string, string>> | undefined): Promise<void> => {
    setSent(answers ? 'answers' : 'refusal')
    const body = { request, digest, approved: answers !== undefined, ...(answers && { answers }) }
    setFault(await tell('/api/permissions', body))
    setSent('no')
  }
  const answer = (): void => {
    const answers = answersOf(questions, given)
    if (answers) inBackground(send(answers))
    else setFault(WORDS.questions.missing)
  }
  const errors = fault === undefined ? [] : [{ field: fieldOf(request, 0), message: fault }]
  return (
    <Form errors={errors} onSubmit={answer}>
      {questions.map((question, at) => (
        <Question
          key={question.question}
          id={fieldOf(request, at)}
          question={question}
          given={given[at] ?? NO_ANSWER}
          onChange={(changed) => change(at, changed)}
        />
      ))}
      <ButtonRow>
        <Button type="submit" readiness={sent === 'answers' ? 'waiting' : 'ready'}>
          {WORDS.questions.send}
        </Button>
        <Button
          look="quiet"
          readiness={sent === 'refusal' ? 'waiting' : 'ready'}
          onClick={() => inBackground(send(undefined))}
        >
          {WORDS.questions.refuse}
        </Button>
      </ButtonRow>
    </Form>
  )
}

interface QuestionProps {
  readonly id: string
  readonly question: AskedQuestion
  readonly given: GivenAnswer
  readonly onChange: (changed: Partial<GivenAnswer>) => void
}

function Question({ id, question, given, onChange }: QuestionProps) {
  const { options, mayBeSeveral } = question
  const hasOptions = options.length > 0
  return (
    <>
      {hasOptions && (
        <ChoiceField
          id={id}
          label={question.question}
          kind={mayBeSeveral ? 'any' : 'one'}
          chosen={given.chosen}
          options={options.map(({ label, hint }) => ({
            value: label,
            label,
            ...(hint !== '' && { hint }),
          }))}
          onChange={(chosen) => onChange({ chosen })}
        />
      )}
      <TextField
        id={hasOptions ? `${id}-words` : id}
        label={hasOptions ? WORDS.questions.ownWords : question.question}
        value={given.words}
        maxLength={WORDS_CHARS_MAX}
        onChange={(words) => onChange({ words })}
      />
    </>
  )
}

/** The server takes an answer of at most 200 characters, what was chosen included. */
const WORDS_CHARS_MAX = 150

function fieldOf(request: string, at: number): string {
  return `question-${request}-${at}`
}
