import { FileSearch, HandCoins, MessageCircleQuestion, Store } from 'lucide'
import { Button, ButtonRow, KeyFacts } from '../../../kit/index.ts'
import type { AskProps, CardProps, SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { DisclosureText } from '../disclosure-text.tsx'
import { useDisclosureText } from '../use-disclosure.ts'
import { AskedLenders } from './asked-lenders.tsx'
import styles from './cards.module.css'
import { EndReference } from './end-reference.tsx'
import { LinkedContacts } from './linked-contacts.tsx'
import { ENDING_WORDS } from './ending-words.ts'
import { SpeakToPerson } from './speak-to-person.tsx'

/** No lender lends: said plainly, with what the customer can do and who helps for free. */
export function DeclinedCard({
  view,
  onSheet,
  onAsk,
}: Pick<CardProps, 'view'> & SheetProps & AskProps) {
  const help = useDisclosureText('decline_signposting', undefined)
  const words = ENDING_WORDS.declined
  const offered = view.waterfall?.steps.find(
    ({ outcome }) => outcome.kind === 'approved_with_counter',
  )
  const lead = words.lead(view.retailerName)
  return (
    <CardFrame
      title={offered ? words.titleAfterOffer : words.title}
      lead={offered ? `${words.saidNo(offered.lender)} ${lead}` : lead}
      actions={
        <ButtonRow>
          <Button look="quiet" onClick={() => onAsk(words.whyQuestion)}>
            {words.why}
          </Button>
          <SpeakToPerson onSheet={onSheet} />
        </ButtonRow>
      }
    >
      <section className={styles.stack}>
        <h2>{ENDING_WORDS.next}</h2>
        <KeyFacts
          facts={[
            {
              icon: Store,
              title: words.retailer(view.retailerName),
              text: words.retailerMeans,
            },
            { icon: FileSearch, title: words.file, text: words.fileMeans },
            { icon: HandCoins, title: words.advice, text: words.adviceMeans },
            { icon: MessageCircleQuestion, title: words.why, text: words.whyMeans },
          ]}
        />
      </section>
      <section className={styles.panel} aria-label={ENDING_WORDS.help}>
        <h2>{ENDING_WORDS.help}</h2>
        <DisclosureText shown={help} draw={(text) => <LinkedContacts text={text} />} />
      </section>
      <AskedLenders view={view} />
      <EndReference view={view} />
    </CardFrame>
  )
}
