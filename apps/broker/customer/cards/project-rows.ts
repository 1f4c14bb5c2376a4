import type { SummaryRow } from '../../../kit/index.ts'
import { moneyWithPence } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import { QUOTE_WORDS } from './quote-words.ts'

/** Returns the known figures: the price of the system and the customer's deposit. */
export function projectRows({ projectValue, depositAmount }: CaseView['project']): SummaryRow[] {
  const { price, deposit } = QUOTE_WORDS
  return [
    ...(projectValue === undefined ? [] : [{ name: price, value: moneyWithPence(projectValue) }]),
    ...(depositAmount === undefined
      ? []
      : [{ name: deposit, value: moneyWithPence(depositAmount) }]),
  ]
}
