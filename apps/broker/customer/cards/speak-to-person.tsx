import { Phone } from 'lucide'
import { Button, Icon } from '../../../kit/index.ts'
import type { SheetProps } from '../actions.ts'
import { ENDING_WORDS } from './ending-words.ts'

/** The way to a person, in the bar of a page that asks nothing any more. */
export function SpeakToPerson({ onSheet }: SheetProps) {
  return (
    <Button look="quiet" onClick={() => onSheet('person')}>
      <Icon shape={Phone} /> {ENDING_WORDS.person}
    </Button>
  )
}
