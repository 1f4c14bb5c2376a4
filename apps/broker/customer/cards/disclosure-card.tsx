import { Button, Card } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { DisclosureText, titleOf } from '../disclosure-text.tsx'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'

/** What the broker is and does, to be read before anything else. */
export function ServiceStatusCard(props: CardProps) {
  const { readiness, record } = props
  const id = 'service_status'
  const shown = usePresentedDisclosure(props, id)
  return (
    <Card title={titleOf(shown)}>
      <DisclosureText shown={shown} />
      {shown.status === 'shown' && (
        <Button
          readiness={readiness}
          onClick={() => {
            const { contentHash } = shown.text
            record([{ type: 'acknowledge_disclosure', data: { id, contentHash } }])
          }}
        >
          {WORDS.disclosure.understand}
        </Button>
      )}
    </Card>
  )
}
