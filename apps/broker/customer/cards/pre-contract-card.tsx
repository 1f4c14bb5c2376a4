import { Button, ButtonRow, Card } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { DisclosureText, titleOf } from '../disclosure-text.tsx'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'

export interface PreContractCardProps extends CardProps {
  readonly onAmend: () => void
}

export function PreContractCard(props: PreContractCardProps) {
  const { readiness, record, onAmend } = props
  const id = 'pre_contract_summary'
  const shown = usePresentedDisclosure(props, id)
  return (
    <Card title={titleOf(shown)}>
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
