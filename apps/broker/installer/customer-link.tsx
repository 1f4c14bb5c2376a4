import type { Turns } from '../../kit/index.ts'
import { Button, Card, CopyField } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { WORDS } from './words.ts'

export interface CustomerLinkProps {
  readonly view: InstallerCase
  readonly turns: Turns
}

/** Hands the case over: the link is made by the server, and asked for again after a reload. */
export function CustomerLink({ view, turns }: CustomerLinkProps) {
  const link = turns.answer?.customerLink
  const isHandedOver = view.status !== 'intake'
  if (!isHandedOver && !isReadyForLink(view)) return null
  if (link === undefined) {
    const directEvents = [{ type: 'generate_customer_link', data: {} }]
    return (
      <Button
        readiness={turns.sending.status === 'sending' ? 'waiting' : 'ready'}
        onClick={() => void turns.take({ directEvents })}
      >
        {isHandedOver ? WORDS.link.show : WORDS.link.create}
      </Button>
    )
  }
  const address = new URL(link, location.origin).href
  return (
    <Card title={WORDS.link.title}>
      <p>{WORDS.link.text}</p>
      <CopyField label={WORDS.link.address} text={address} />
    </Card>
  )
}

function isReadyForLink({ contact, project }: InstallerCase): boolean {
  const { mobile, firstName, email } = contact
  const { projectValue, depositAmount, productSpec } = project
  const needed = [mobile, firstName, email, projectValue, depositAmount, productSpec]
  return needed.every((value) => value !== undefined)
}
