import type { LogRecord } from 'throughline'
import { isOfPage } from './refused-showing.ts'
import { sideOf } from './sides.ts'
import type { Side } from './sides.ts'

/** The parts of a message, which its end repeats. */
const PARTS_OF_MESSAGES: readonly string[] = ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']

/**
 * The positions of what the customer's and the installer's side did in one and the same browser:
 * links that were opened, clicks and messages.
 */
export function sharedBrowsers(records: readonly LogRecord[]): readonly number[] {
  const acts = records.filter((record) => {
    const { source, actor } = record.origin
    if (source !== 'ui' || actor === undefined) return false
    return !PARTS_OF_MESSAGES.includes(record.type) && !isOfPage(record)
  })
  const browsersOf = (side: Side) =>
    new Set(acts.filter(({ origin }) => sideOf(origin) === side).map(({ origin }) => origin.actor))
  const [customer, installer] = [browsersOf('customer'), browsersOf('installer')]
  return acts
    .filter(({ origin: { actor } }) => customer.has(actor) && installer.has(actor))
    .filter(({ origin }) => sideOf(origin) !== 'broker')
    .map(({ seq }) => seq)
}
