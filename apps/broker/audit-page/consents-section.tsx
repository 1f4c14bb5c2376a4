import type { ConsentAnswer } from '../audit/consent-answers.ts'
import { SummaryList, dateTime } from '../../kit/index.ts'
import { FileSection, ItemList, RecordLink } from '../../studio/index.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.consents

export interface ConsentsSectionProps {
  /** Every answer, oldest first. */
  readonly answers: readonly ConsentAnswer[]
  readonly onSelect: (seq: number) => void
}

export function ConsentsSection({ answers, onSelect }: ConsentsSectionProps) {
  return (
    <FileSection title={WORDED.title(answers.length)} wanted="closed">
      {() =>
        answers.length === 0 ? (
          <p>{WORDS.file.none}</p>
        ) : (
          <ItemList>
            {answers.map((answer, at) => (
              <li key={answer.seq ?? `seed ${at}`}>
                <h3>{WORDED.types[answer.type]}</h3>
                <SummaryList rows={rowsOf(answer, onSelect)} />
              </li>
            ))}
          </ItemList>
        )
      }
    </FileSection>
  )
}

function rowsOf(answer: ConsentAnswer, onSelect: (seq: number) => void) {
  const { granted, change, at, bound, seq } = answer
  return [
    { name: WORDED.decision, value: WORDED.answers[change](WORDED.answer(granted)) },
    { name: WORDED.at, value: dateTime(at) },
    { name: WORDS.disclosures.bound, value: WORDS.disclosures.isBound(bound) },
    {
      name: WORDS.file.record,
      // A case that was brought back from its seed has facts whose records are gone.
      value: seq === undefined ? WORDS.file.none : <RecordLink seq={seq} onSelect={onSelect} />,
    },
  ]
}
