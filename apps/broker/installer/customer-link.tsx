import type { Turns } from '../../kit/index.ts'
import { Button, Card, CopyField, TurnProblem } from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { WORDS } from './words.ts'

export interface CustomerLinkProps {
  readonly view: InstallerCase
  readonly turns: Turns
}

/** Hands the case over: the link is made by the server, and asked for again after a reload. */
export function CustomerLink({ view, turns }: CustomerLinkProps) {
  const link = turns.answered?.answer.customerLink
  if (link === undefined) {
    if (!isLinkToBeHad(view)) return null
    const directEvents = [{ type: 'generate_customer_link', data: {} }]
    return (
      <>
        <Button
          readiness={turns.status === 'sending' ? 'waiting' : 'ready'}
          onClick={() => void turns.take({ directEvents }, 'card')}
        >
          {view.status === 'awaiting_customer' ? WORDS.link.show : WORDS.link.create}
        </Button>
        <TurnProblem turns={turns} place="card" />
      </>
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

/** Once the customer has begun, the server makes no other. */
function isLinkToBeHad({ status, contact, project }: InstallerCase): boolean {
  if (status !== 'intake') return status === 'awaiting_customer'
  const { mobile, firstName, email } = contact
  const { projectValue, depositAmount, productSpec } = project
  const needed = [mobile, firstName, email, projectValue, depositAmount, productSpec]
  return needed.every((value) => value !== undefined)
}
