import { useState } from 'react'
import { Button, useFieldErrors } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import { CardFrame } from '../card-frame.tsx'
import { AboutPart } from './about-part.tsx'
import { checkDraft } from './check-draft.ts'
import type { DetailsDraft } from './draft.ts'
import type { PartProps } from './form-parts.ts'
import { HomePart, useHomeEntry } from './home-part.tsx'
import { MoneyPart } from './money-part.tsx'
import { errorsIn, homeErrors, positionAfter } from './parts.ts'
import type { Position } from './parts.ts'
import { WORDS } from './words.ts'

export interface PartFormProps {
  readonly position: Position
  readonly draft: DetailsDraft
  readonly view: CaseView
  readonly onChange: (change: Partial<DetailsDraft>) => void
  readonly onDone: (next: Position) => void
}

/** One part of the form; Continue needs it to be without errors. */
export function PartForm({ position, draft, view, onChange, onDone }: PartFormProps) {
  const { place } = position
  const [today] = useState(() => new Date())
  const found = checkDraft(draft, today)
  const entry = useHomeEntry(draft)
  const wrong = errorsIn(place, found)
  const { errors, check } = useFieldErrors(
    place === 'home' ? homeErrors(wrong, entry.shown) : wrong,
  )
  const leadsTo = positionAfter(position, []).place
  const submit = (): void => {
    if (check()) onDone(positionAfter(position, found))
  }
  const part: PartProps = { draft, view, errors, onChange }
  return (
    <CardFrame
      title={place === 'check' ? WORDS.check.title : WORDS.parts[place].title}
      lead={place === 'about' ? WORDS.parts.about.lead : undefined}
      errors={errors}
      onSubmit={submit}
      actions={
        <Button type="submit">{leadsTo === 'check' ? WORDS.toCheck : WORDS.continue}</Button>
      }
    >
      {place === 'about' && <AboutPart {...part} />}
      {place === 'home' && <HomePart {...part} entry={entry} />}
      {place === 'money' && <MoneyPart {...part} />}
    </CardFrame>
  )
}
