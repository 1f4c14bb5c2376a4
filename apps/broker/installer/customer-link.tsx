import type { PageEntry, Turns } from '../../kit/index.ts'
import {
  Banner,
  Button,
  Card,
  CopyField,
  TurnProblem,
  useSheet,
  inBackground,
} from '../../kit/index.ts'
import type { InstallerCase } from '../case/case-view.ts'
import { isTerminal } from '../case/state.ts'
import { CodeSheet } from './code-sheet.tsx'
import { useCustomerLink } from './use-customer-link.ts'
import { WORDS } from './words.ts'

export interface CustomerLinkProps {
  readonly entry: PageEntry
  readonly view: InstallerCase
  readonly turns: Turns
}

/** Hands the case over, and shows the link, which may have to be sent again. */
export function CustomerLink({ entry, view, turns }: CustomerLinkProps) {
  const { link, status, read } = useCustomerLink(entry, view.status)
  const sheet = useSheet('code')
  if (isTerminal(view.status)) return null
  if (link !== undefined) {
    const address = new URL(link, location.origin).href
    return (
      <Card title={WORDS.link.title}>
        <p>{WORDS.link.text}</p>
        <Button onClick={sheet.open}>{WORDS.link.showCode}</Button>
        <CopyField label={WORDS.link.address} text={address} />
        <CodeSheet sheet={sheet} name={view.contact.firstName} link={address} />
      </Card>
    )
  }
  if (view.status === 'intake') return <HandOver view={view} turns={turns} />
  return (
    <>
      <Button readiness={status === 'reading' ? 'waiting' : 'ready'} onClick={read}>
        {WORDS.link.show}
      </Button>
      {status === 'failed' && <Banner tone="problem">{WORDS.link.failed}</Banner>}
    </>
  )
}

function HandOver({ view, turns }: Pick<CustomerLinkProps, 'view' | 'turns'>) {
  if (!isLinkToBeHad(view)) return null
  const directEvents = [{ type: 'generate_customer_link', data: {} }]
  return (
    <>
      <Button
        readiness={turns.status === 'sending' ? 'waiting' : 'ready'}
        onClick={() => inBackground(turns.take({ directEvents }, 'card'))}
      >
        {WORDS.link.create}
      </Button>
      <TurnProblem turns={turns} place="card" />
    </>
  )
}

function isLinkToBeHad({ contact, project }: InstallerCase): boolean {
  const { mobile, firstName, email } = contact
  const { projectValue, depositAmount, productSpec } = project
  const needed = [mobile, firstName, email, projectValue, depositAmount, productSpec]
  return needed.every((value) => value !== undefined)
}
