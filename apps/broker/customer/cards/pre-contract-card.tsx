import { Button, ButtonRow } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import type { ChangeAnswer } from '../answers.ts'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import styles from './cards.module.css'
import { DisclosureFrame } from './disclosure-frame.tsx'
import { LoanFigures } from './loan-figures.tsx'
import { SentAnswers } from './sent-answers.tsx'
import { SUMMARY_WORDS } from './summary-words.ts'

export interface PreContractCardProps extends CardProps {
  readonly onAmend: () => void
  /** Opens an answer to be changed, where the page has its form. */
  readonly onChange: ChangeAnswer | undefined
}

/** All that a lender is sent, the text about it, and the one button that sends it. */
export function PreContractCard(props: PreContractCardProps) {
  const { view, readiness, record, onAmend, onChange } = props
  const id = 'pre_contract_summary'
  const shown = usePresentedDisclosure(props, id)
  return (
    <DisclosureFrame
      id={id}
      title={SUMMARY_WORDS.title}
      lead={SUMMARY_WORDS.lead}
      shown={shown}
      before={
        view.provisionalQuote && (
          <section className={styles.panel} aria-label={SUMMARY_WORDS.estimate}>
            <LoanFigures loan={view.provisionalQuote} rate="representative" />
          </section>
        )
      }
      actions={({ contentHash }) => (
        <ButtonRow>
          <Button look="equal" onClick={onAmend}>
            {SUMMARY_WORDS.change}
          </Button>
          <Button
            look="equal"
            readiness={readiness}
            onClick={() => record([{ type: 'acknowledge_disclosure', data: { id, contentHash } }])}
          >
            {SUMMARY_WORDS.confirm}
          </Button>
        </ButtonRow>
      )}
    >
      <SentAnswers view={view} onChange={onChange} />
    </DisclosureFrame>
  )
}
