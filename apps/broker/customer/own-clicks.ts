import { textOf } from 'throughline/client'
import type { LogRecord, Origin } from 'throughline/client'
import { money } from '../../kit/index.ts'
import { termText } from './cards/term.ts'
import type { CaseView } from './case-view.ts'
import { SAVED_WORDS } from './saved-words.ts'

/**
 * The customer's latest click that the log holds. A recovery seed can hold later clicks without their
 * records, so clicks before a recovery do not count. Pure.
 */
export function latestOwnClick(domainRecords: readonly LogRecord[]): LogRecord | undefined {
  const recovered = domainRecords.findLastIndex(({ type }) => type === 'case_hydrated')
  return domainRecords
    .slice(recovered + 1)
    .findLast(({ type, origin }) => isOwn(origin) && type in SAVED_WORDS)
}

/** Returns a record's name on the customer's page. Pure. */
export function recordedAs(
  { type, data }: Pick<LogRecord, 'type' | 'data'>,
  { provisionalQuote, waterfall }: CaseView,
): string | undefined {
  if (type === 'record_provisional_quote' && provisionalQuote) {
    const { monthlyPayment, termMonths } = provisionalQuote
    return SAVED_WORDS.record_provisional_quote(money(monthlyPayment), termText(termMonths))
  }
  if (type === 'acknowledge_disclosure') {
    const id = textOf(data, 'id')
    if (id === 'pre_contract_summary' && waterfall) return SAVED_WORDS.acknowledge_disclosure.sent
    return wordsNamed(SAVED_WORDS.acknowledge_disclosure, id)
  }
  return wordsNamed(SAVED_WORDS, type)
}

function wordsNamed(all: object, key: string): string | undefined {
  const words: unknown = Object.entries(all).find(([name]) => name === key)?.[1]
  return typeof words === 'string' ? words : undefined
}

/** An installer's form records too, and some of it under the same names. */
function isOwn({ source, surface }: Origin): boolean {
  return source === 'ui' && surface === 'customer'
}
