import { Button, ButtonRow, Card } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import type { ChangeAnswer } from '../answers.ts'
import { DisclosureText, titleOf } from '../disclosure-text.tsx'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'
import { SentAnswers } from './sent-answers.tsx'

export interface PreContractCardProps extends CardProps {
  readonly onAmend: () => void
  /** Opens an answer to be changed, where the page has its form. */
  readonly onChange: ChangeAnswer | undefined
}

export function PreContractCard(props: PreContractCardProps) {
  const { view, readiness, record, onAmend, onChange } = props
  const id = 'pre_contract_summary'
  const shown = usePresentedDisclosure(props, id)
  return (
    <Card title={titleOf(shown)}>
      <SentAnswers view={view} onChange={onChange} />
      <DisclosureText shown={shown} />
      {shown.status === 'shown' && (
        <ButtonRow>
          <Button
            look="secondary"
            readiness={readiness}
            onClick={() => {
              const { contentHash } = shown.text
              record([{ type: 'acknowledge_disclosure', data: { id, contentHash } }])
            }}
          >
            {WORDS.preContract.confirm}
          </Button>
          <Button look="secondary" onClick={onAmend}>
            {WORDS.preContract.amend}
          </Button>
        </ButtonRow>
      )}
    </Card>
  )
}
