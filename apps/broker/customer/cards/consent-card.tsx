import { Banner, Button, ButtonRow, Card } from '../../../kit/index.ts'
import { creditSearchConsent } from '../../case/gates.ts'
import type { CardProps } from '../actions.ts'
import { DisclosureText, titleOf } from '../disclosure-text.tsx'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { WORDS } from '../words.ts'

/** Nothing is ticked beforehand, and either answer is as easy to give as the other. */
export function ConsentCard(props: CardProps) {
  const { view, readiness, record } = props
  const shown = usePresentedDisclosure(props, 'credit_search_consent')
  const isRefused = creditSearchConsent(view)?.granted === false
  const decide = (granted: boolean, contentHash: string): void => {
    const data = { consentType: 'credit_search', granted, contentHash }
    record([{ type: 'capture_consent', data }])
  }
  return (
    <Card title={titleOf(shown)}>
      {isRefused && <Banner tone="note">{WORDS.consent.refused}</Banner>}
      <DisclosureText shown={shown} />
      {shown.status === 'shown' && (
        <ButtonRow>
          <Button
            look="secondary"
            readiness={readiness}
            onClick={() => decide(true, shown.text.contentHash)}
          >
            {WORDS.consent.grant}
          </Button>
          {!isRefused && (
            <Button
              look="secondary"
              readiness={readiness}
              onClick={() => decide(false, shown.text.contentHash)}
            >
              {WORDS.consent.refuse}
            </Button>
          )}
        </ButtonRow>
      )}
    </Card>
  )
}
