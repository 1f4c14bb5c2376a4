import { RotateCcw, Wallet } from 'lucide'
import { KeyFacts, Note } from '../../../kit/index.ts'
import type { CardProps, SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import type { CaseView } from '../case-view.ts'
import styles from './cards.module.css'
import type { Criterion } from './eligibility-words.ts'
import { EndReference } from './end-reference.tsx'
import { FreeHelp } from './free-help.tsx'
import { ENDING_WORDS } from './ending-words.ts'
import { SpeakToPerson } from './speak-to-person.tsx'

const CRITERIA: readonly Criterion[] = ['isOver18', 'isUkResident', 'isHomeowner', 'isEmployed']

/** Which answer keeps the customer from applying, and what they can do instead. */
export function IneligibleCard({ view, onSheet }: Pick<CardProps, 'view'> & SheetProps) {
  const words = ENDING_WORDS.ineligible
  const { retailerName } = view
  return (
    <CardFrame
      title={words.title}
      lead={unmet(view).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      actions={<SpeakToPerson onSheet={onSheet} />}
    >
      <Note>
        {words.notCredit} <b>{words.noSearch}</b>
      </Note>
      <section className={styles.stack}>
        <h2>{ENDING_WORDS.next}</h2>
        <KeyFacts
          facts={[
            { icon: RotateCcw, title: words.wrong, text: words.wrongMeans(retailerName) },
            { icon: Wallet, title: words.other, text: words.otherMeans(retailerName) },
          ]}
        />
      </section>
      <section className={styles.panel} aria-label={ENDING_WORDS.help}>
        <h2>{ENDING_WORDS.help}</h2>
        <FreeHelp />
      </section>
      <EndReference view={view} />
    </CardFrame>
  )
}

function unmet({ eligibility }: CaseView): readonly string[] {
  if (!eligibility) return []
  const { reasons } = ENDING_WORDS.ineligible
  return CRITERIA.filter((criterion) => !eligibility[criterion]).map((each) => reasons[each])
}
