import { useEffect, useState } from 'react'
import { useDraft } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { draftKey } from '../draft-key.ts'
import { CheckAnswers } from './check-answers.tsx'
import { checkDraft } from './check-draft.ts'
import { detailsEvents } from './details-events.ts'
import { PartForm } from './part-form.tsx'
import { checkPosition, firstForm, partOf, positionIn } from './parts.ts'
import type { Position } from './parts.ts'
import { useFocusOnMove } from './use-focus-on-move.ts'

/** The parts as entries of the browser's history. */
export interface PartPages {
  /** The part that the entry shows, once it is noted. */
  readonly part: Position | undefined
  readonly notePart: (position: Position) => void
  readonly openPart: (position: Position) => void
}

export interface DetailsCardProps extends CardProps {
  readonly parts: PartPages
  /** The field that the customer wants to change, if they came for one. */
  readonly field?: string | undefined
}

/** The form in parts, then all its answers to check, then one batch of events. */
export function DetailsCard({ entry, view, readiness, record, field, parts }: DetailsCardProps) {
  const [form, keepForm, forgetForm] = useDraft(
    draftKey('details', entry),
    firstForm(view),
    'next visits',
  )
  const [first] = useState(() => positionIn(form, field))
  const [today] = useState(() => new Date())
  const shown = parts.part ?? first
  // A change since the check page was shown may have an error.
  const position = shown.place === 'check' ? checkPosition(checkDraft(form, today)) : shown
  useFocusOnMove(position)
  const { notePart, openPart } = parts
  useEffect(() => notePart(first))
  const go = (to: Position): void => {
    openPart(to)
    keepForm({ ...form, place: to.place, from: to.from })
  }
  if (position.place === 'check') {
    return (
      <CheckAnswers
        draft={form}
        readiness={readiness}
        onChange={(each) => go({ place: partOf(each) ?? 'about', from: 'check', field: each })}
        onSave={() => record(detailsEvents(form, view), forgetForm)}
      />
    )
  }
  return (
    <PartForm
      key={position.place}
      position={position}
      draft={form}
      view={view}
      onChange={(change) => keepForm({ ...form, ...change })}
      onDone={go}
    />
  )
}
