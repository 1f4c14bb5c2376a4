import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button, ButtonRow } from '../../../kit/index.ts'
import { creditSearchConsent } from '../../case/gates.ts'
import type { CardProps, SheetProps } from '../actions.ts'
import { usePresentedDisclosure } from '../use-disclosure.ts'
import { CONSENT_WORDS } from './consent-words.ts'
import { DisclosureFrame } from './disclosure-frame.tsx'
import { RefusedConsent } from './refused-consent.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

export interface ConsentCardProps extends CardProps, Partial<SheetProps> {
  /** The way back to the application, on a page apart from it. */
  readonly wayBack?: ReactNode
}

/** Nothing is ticked beforehand, and either answer is as easy to give as the other. */
export function ConsentCard(props: ConsentCardProps) {
  const [question, setQuestion] = useState<'in turn' | 'asked again'>('in turn')
  const isRefused = creditSearchConsent(props.view)?.granted === false
  const isAfterRefusal = isRefused && question === 'in turn'
  useHeadingFocus(question)
  if (isAfterRefusal) {
    return (
      <RefusedConsent
        onAskAgain={() => setQuestion('asked again')}
        onSheet={props.onSheet}
        wayBack={props.wayBack}
      />
    )
  }
  return (
    <ConsentQuestion
      {...props}
      onKeepRefusal={isRefused ? () => setQuestion('in turn') : undefined}
    />
  )
}

interface ConsentQuestionProps extends CardProps {
  /** A refusal that is recorded already is not recorded again. */
  readonly onKeepRefusal: (() => void) | undefined
}

function ConsentQuestion({ onKeepRefusal, ...props }: ConsentQuestionProps) {
  const { readiness, record } = props
  const shown = usePresentedDisclosure(props, 'credit_search_consent')
  const decide = (granted: boolean, contentHash: string): void => {
    const data = { consentType: 'credit_search', granted, contentHash }
    record([{ type: 'capture_consent', data }])
  }
  return (
    <DisclosureFrame
      id="credit_search_consent"
      title={CONSENT_WORDS.title}
      lead={CONSENT_WORDS.lead}
      shown={shown}
      actions={({ contentHash }) => (
        <ButtonRow>
          <Button
            look="equal"
            readiness={readiness}
            onClick={onKeepRefusal ?? (() => decide(false, contentHash))}
          >
            {CONSENT_WORDS.refuse}
          </Button>
          <Button look="equal" readiness={readiness} onClick={() => decide(true, contentHash)}>
            {CONSENT_WORDS.grant}
          </Button>
        </ButtonRow>
      )}
    />
  )
}
