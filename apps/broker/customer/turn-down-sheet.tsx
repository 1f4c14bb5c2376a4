import { useEffect } from 'react'
import type { Readiness, Turns } from '../../kit/index.ts'
import { Button, ButtonRow, Sheet, SummaryList, moneyWithPence } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { CardOutcome, SavingStatus } from './card-outcome.tsx'
import type { OfflinePress } from './offline-press.ts'
import styles from './cards/cards.module.css'
import { termText } from './cards/term.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { TURN_DOWN_WORDS } from './turn-down-words.ts'
import type { TurnDown } from './turned-down.ts'
import { turnDownOf } from './turned-down.ts'
import type { Pages } from './use-page-history.ts'
import wordStyles from './withdraw-sheet.module.css'

const words = TURN_DOWN_WORDS

export interface TurnDownSheetProps extends Pick<CardProps, 'view' | 'record'> {
  readonly pages: Pages
  readonly turns: Turns
  readonly readiness: Readiness
  readonly offlineAt: OfflinePress['place']
}

/** Explains the consequences of refusing an offer before the refusal is recorded. */
export function TurnDownSheet(props: TurnDownSheetProps) {
  const { pages, view, turns, readiness, offlineAt, record } = props
  const turnDown = turnDownOf(view)
  const isStale = pages.sheet === 'refuse' && turnDown === undefined
  const { closeSheet, openSheet } = pages
  useEffect(() => {
    if (isStale) closeSheet('refuse')
  }, [isStale, closeSheet])
  if (!turnDown) return null
  return (
    <Sheet
      sheet={pages.sheetNamed('refuse')}
      title={words.title}
      foot={
        <>
          <SavingStatus turns={turns} place="footer" />
          <CardOutcome turns={turns} place="footer" offlineAt={offlineAt} />
          <ButtonRow>
            <Button look="equal" onClick={() => closeSheet('refuse')}>
              {words.keep}
            </Button>
            <Button
              look="equal"
              readiness={readiness}
              onClick={() => record([turnDown.event], () => closeSheet('refuse'))}
            >
              {turnDown.act}
            </Button>
          </ButtonRow>
        </>
      }
    >
      <GivenUp turnDown={turnDown} />
      <section className={styles.tight}>
        <h3>{words.next}</h3>
        <p>
          {turnDown.next}
          {turnDown.ends === 'the application' && ` ${words.again(view.retailerName)}`}
        </p>
      </section>
      <p>
        {words.unsure}{' '}
        <button type="button" className={wordStyles.save} onClick={() => openSheet('person')}>
          {SHELL_WORDS.menu.person}
        </button>
      </p>
    </Sheet>
  )
}

function GivenUp({ turnDown: { offer } }: { readonly turnDown: TurnDown }) {
  return (
    <section className={styles.tight}>
      <h3>{words.givesUp(offer.lender)}</h3>
      <SummaryList
        rows={[
          { name: words.borrow, value: moneyWithPence(offer.netLoanAmount) },
          { name: words.monthly, value: moneyWithPence(offer.monthlyPayment) },
          { name: words.term, value: termText(offer.termMonths) },
        ]}
      />
      <p>{words.lost}</p>
    </section>
  )
}
