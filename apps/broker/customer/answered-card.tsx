import { Button, ButtonRow, Note, SummaryList, time } from '../../kit/index.ts'
import type { ChangeAnswer, Changeable } from './answers.ts'
import { answerRows } from './answered-rows.ts'
import { CardFrame } from './card-frame.tsx'
import { LoanFigures } from './cards/loan-figures.tsx'
import styles from './cards/cards.module.css'
import type { CaseView } from './case-view.ts'
import { mayChangeAnswers } from './case-view.ts'
import { DisclosureText } from './disclosure-text.tsx'
import type { Screen } from './screen.ts'
import { SHELL_WORDS } from './shell-words.ts'
import type { AnsweredPlace } from './steps.ts'
import { STEP_NAMES, stepOf } from './steps.ts'
import { useDisclosureText } from './use-disclosure.ts'

const words = SHELL_WORDS.answered

export interface AnsweredCardProps {
  readonly screen: Extract<Screen, { readonly kind: 'answered' }>
  readonly view: CaseView
  /** The step that is open; none after the end. */
  readonly openStep: number | undefined
  readonly onChange: ChangeAnswer
  readonly onToOpen: () => void
}

const CHANGEABLE: Readonly<Partial<Record<AnsweredPlace, Changeable>>> = {
  quote: 'quote',
  email: 'email',
  details: 'details',
  support: 'vulnerability',
}

/** The texts that an answer was about. */
const TEXT_OF: Readonly<Partial<Record<AnsweredPlace, string>>> = {
  service_status: 'service_status',
  consent: 'credit_search_consent',
  summary: 'pre_contract_summary',
}

/** Shows earlier answers, with a way to change those that the rules allow to. */
export function AnsweredCard(props: AnsweredCardProps) {
  const { screen, view, openStep, onChange, onToOpen } = props
  const { place, at } = screen
  const card = mayChangeAnswers(view) ? CHANGEABLE[place] : undefined
  const text = TEXT_OF[place]
  return (
    <CardFrame
      title={STEP_NAMES[(stepOf(place) ?? 1) - 1] ?? ''}
      actions={
        <ButtonRow>
          {card && (
            <Button look="quiet" onClick={() => onChange(card)}>
              {words.change}
            </Button>
          )}
          <Button onClick={onToOpen}>
            {openStep === undefined ? words.toEnd : words.toStep(openStep)}
          </Button>
        </ButtonRow>
      }
    >
      <Note tone="plain">
        <b>{at === '' ? words.already : words.at(time(Date.parse(at)))}</b>{' '}
        {card ? words.mayChange : words.mayNotChange}
      </Note>
      {place === 'quote' && view.provisionalQuote ? (
        <section className={styles.panel}>
          <LoanFigures loan={view.provisionalQuote} rate="representative" />
        </section>
      ) : (
        <SummaryList rows={answerRows(view, place)} />
      )}
      {text !== undefined && <AnsweredText id={text} view={view} />}
    </CardFrame>
  )
}

/** The text in the version that was presented. */
function AnsweredText({ id, view }: { readonly id: string; readonly view: CaseView }) {
  const version = view.disclosures.find((record) => record.id === id)?.version
  return (
    <section className={styles.stack}>
      <h2>{words.text}</h2>
      <DisclosureText shown={useDisclosureText(id, version)} />
    </section>
  )
}
