import { useState } from 'react'
import type { SheetState, Turns } from '../../kit/index.ts'
import {
  Button,
  ChoiceField,
  Form,
  Sheet,
  TextField,
  TurnProblem,
  inBackground,
} from '../../kit/index.ts'
import { errorAt, useFieldErrors } from '../../kit/index.ts'
import { typedEvent } from './needed-facts.ts'
import type { Needed } from './needed-facts.ts'
import { WORDS } from './words.ts'

export interface EditFactProps {
  readonly name: Needed
  readonly sheet: SheetState
  readonly turns: Turns
}

/** A sheet that records one fact as the installer types or chooses it. */
export function EditFact({ name, sheet, turns }: EditFactProps) {
  return (
    <Sheet sheet={sheet} title={WORDS.checklist.names[name]} place="middle">
      <EditForm name={name} sheet={sheet} turns={turns} />
    </Sheet>
  )
}

function EditForm({ name, sheet, turns }: EditFactProps) {
  const [typed, setTyped] = useState('')
  const event = typedEvent(name, typed)
  const id = `fact-${name}`
  const found = event ? [] : [{ field: id, message: WORDS.checklist.errors[name] }]
  const { errors, check } = useFieldErrors(found)
  const field = { id, label: WORDS.checklist.names[name], error: errorAt(errors, id) }
  const save = (): void => {
    if (!check() || !event) return
    inBackground(turns.take({ directEvents: [event] }, 'footer', sheet.close))
  }
  return (
    <Form errors={errors} onSubmit={save}>
      {name === 'productSpec' ? (
        <ChoiceField
          {...field}
          kind="one"
          chosen={[typed]}
          options={Object.entries(WORDS.products).map(([value, label]) => ({ value, label }))}
          onChange={([chosen = '']) => setTyped(chosen)}
        />
      ) : (
        <TextField {...field} kind={KIND[name]} value={typed} onChange={setTyped} />
      )}
      <Button type="submit" readiness={turns.status === 'sending' ? 'waiting' : 'ready'}>
        {WORDS.checklist.save}
      </Button>
      <TurnProblem turns={turns} place="footer" />
    </Form>
  )
}

const KIND = {
  firstName: 'text',
  mobile: 'tel',
  email: 'email',
  projectValue: 'decimal',
  // A phone's keypad for amounts has no percent sign.
  deposit: 'text',
} as const
