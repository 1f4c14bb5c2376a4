import { ArrowDown, ArrowUp, Check, Clock, Forward } from 'lucide'
import {
  Button,
  ButtonRow,
  Comparison,
  KeyFacts,
  moneyWithPence,
  percent,
} from '../../../kit/index.ts'
import type { Offer, ProvisionalQuote } from '../../case/state.ts'
import type { CardProps, SheetProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { counterOffer } from '../case-view.ts'
import { AskingCard } from './asking-card.tsx'
import styles from './cards.module.css'
import type { DifferenceSentence } from './comparison-sentences.ts'
import { differenceSentences, offerInShort } from './comparison-sentences.ts'
import { COUNTER_WORDS } from './counter-words.ts'
import { turnDownOf } from '../turned-down.ts'
import { AskedLenders } from './asked-lenders.tsx'
import { QUOTE_WORDS } from './quote-words.ts'
import { termText } from './term.ts'

/** A lender's offer beside the customer's estimate. The page recommends neither answer. */
export function CounterCard({ view, readiness, record, onSheet }: CardProps & SheetProps) {
  const offer = counterOffer(view)
  const asked = view.waterfall?.requestedQuote
  const turnDown = turnDownOf(view)
  if (!offer || !asked || !turnDown) return <AskingCard view={view} />
  const words = COUNTER_WORDS
  return (
    <CardFrame
      title={words.title(offer.lender)}
      lead={offerInShort(asked, offer)}
      actions={
        <ButtonRow>
          <Button look="equal" onClick={() => onSheet('refuse')}>
            {turnDown.act}
          </Button>
          <Button
            look="equal"
            readiness={readiness}
            onClick={() => record([{ type: 'accept_counter_offer', data: {} }])}
          >
            {words.accept}
          </Button>
        </ButtonRow>
      }
    >
      <Comparison
        caption={words.compared(offer.lender)}
        differences={differenceSentences(asked, offer).map(drawn)}
        columns={[words.asked, words.offered]}
        rows={rowsOf(asked, offer)}
      />
      <section className={styles.stack}>
        <h2>{words.choice}</h2>
        <KeyFacts
          facts={[
            { icon: Check, title: words.accept, text: words.acceptMeans(offer.lender) },
            { icon: Forward, title: turnDown.act, text: `${words.refuseMeans} ${turnDown.next}` },
            { icon: Clock, title: words.wait, text: words.waitMeans },
          ]}
        />
      </section>
      <AskedLenders view={view} />
      <p className={styles.risk}>{QUOTE_WORDS.risk}</p>
    </CardFrame>
  )
}

function drawn({ of, direction, sentence, amount }: DifferenceSentence) {
  const [before = '', after = ''] = sentence.split(amount)
  return {
    key: of,
    icon: direction === 'more' ? ArrowUp : ArrowDown,
    words: (
      <>
        {before}
        <b>{amount}</b>
        {after}
      </>
    ),
  }
}

function rowsOf(asked: ProvisionalQuote, offer: Offer) {
  const { total, monthly, term, apr, borrow } = COUNTER_WORDS.rows
  const rows: readonly (readonly [name: string, asked: string, offered: string])[] = [
    [total, moneyWithPence(asked.totalPayable), moneyWithPence(offer.totalPayable)],
    [monthly, moneyWithPence(asked.monthlyPayment), moneyWithPence(offer.monthlyPayment)],
    [term, termText(asked.termMonths), termText(offer.termMonths)],
    [apr, percent(asked.indicativeAprPct), percent(offer.aprPct)],
    [borrow, moneyWithPence(asked.amount), moneyWithPence(offer.netLoanAmount)],
  ]
  return rows.map(([name, ...values]) => ({ name, values }))
}
