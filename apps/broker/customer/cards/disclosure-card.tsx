import { Button } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { DisclosureFrame } from './disclosure-frame.tsx'
import { DISCLOSURE_WORDS } from './disclosure-words.ts'

/** The first card: the broker's status and services. */
export function ServiceStatusCard(props: CardProps) {
  const { view, readiness, record } = props
  const id = 'service_status'
  const shown = usePresentedDisclosure(props, id)
  const { title, greeting, lead, understand } = DISCLOSURE_WORDS.service
  const { firstName } = view.contact
  return (
    <DisclosureFrame
      id={id}
      title={firstName === undefined ? title : greeting(firstName)}
      lead={lead(view.retailerName)}
      shown={shown}
      actions={({ contentHash }) => (
        <Button
          readiness={readiness}
          onClick={() => record([{ type: 'acknowledge_disclosure', data: { id, contentHash } }])}
        >
          {understand}
        </Button>
      )}
    />
  )
}
