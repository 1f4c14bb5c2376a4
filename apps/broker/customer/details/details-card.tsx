import { useEffect, useState } from 'react'
import { Button, Card, Form, useDraft, useFieldErrors } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { draftKey } from '../draft-key.ts'
import { AboutPart } from './about-part.tsx'
import { CheckAnswers } from './check-answers.tsx'
import { checkDraft } from './check-draft.ts'
import { detailsEvents } from './details-events.ts'
import type { DetailsDraft } from './draft.ts'
import { draftOf } from './draft.ts'
import { HomePart } from './home-part.tsx'
import { tenuresFor } from './tenures.ts'
import { MoneyPart } from './money-part.tsx'
import { WORDS } from './words.ts'

type Step = { readonly at: 'check' } | { readonly at: 'form'; readonly field?: keyof DetailsDraft }

/** One form, then all its answers to check, then one batch of events. */
export function DetailsCard({ entry, view, readiness, record }: CardProps) {
  const [draft, setDraft, forgetDraft] = useDraft(draftKey('details', entry), draftOf(view))
  const [step, setStep] = useState<Step>({ at: 'form' })
  const [today] = useState(() => new Date())
  const { errors, check } = useFieldErrors(checkDraft(draft, today))
  useStepFocus(step)
  const toCheck = (): void => {
    if (check()) setStep({ at: 'check' })
  }
  if (step.at === 'check') {
    return (
      <Card title={WORDS.check.title}>
        <CheckAnswers
          draft={draft}
          readiness={readiness}
          onChange={(field) => setStep({ at: 'form', field })}
          onRecord={() => record(detailsEvents(draft, view), forgetDraft)}
        />
      </Card>
    )
  }
  const part = {
    draft,
    errors,
    onChange: (change: Partial<DetailsDraft>) => setDraft({ ...draft, ...change }),
  }
  return (
    <Card title={WORDS.title}>
      <p>{WORDS.text}</p>
      <Form errors={errors} onSubmit={toCheck}>
        <AboutPart {...part} />
        <HomePart {...part} tenures={tenuresFor(view, draft)} />
        <MoneyPart {...part} />
        <Button type="submit">{WORDS.toCheck}</Button>
      </Form>
    </Card>
  )
}

/** The button that was used is gone by now: the focus goes where the person is going. */
function useStepFocus(step: Step): void {
  const [first] = useState(step)
  useEffect(() => {
    if (step === first) return
    const target =
      step.at === 'form' && step.field
        ? document.getElementById(step.field)
        : document.querySelector<HTMLElement>('[data-card-heading]')
    target?.focus()
  }, [step, first])
}
