import type { LogRecord, Origin } from 'throughline/log'
import { WORDS } from './words.ts'

/**
 * The customer's latest click that the log holds. A recovery seed can hold later clicks without their
 * records, so clicks before a recovery do not count. Pure.
 */
export function latestOwnClick(domainRecords: readonly LogRecord[]): LogRecord | undefined {
  const recovered = domainRecords.findLastIndex(({ type }) => type === 'case_hydrated')
  return domainRecords
    .slice(recovered + 1)
    .findLast(({ type, origin }) => isOwn(origin) && recordedAs(type))
}

/** What a record of this type is called on the customer's page. */
export function recordedAs(type: string): string | undefined {
  return Object.entries(WORDS.recorded).find(([name]) => name === type)?.[1]
}

/** An installer's form records too, and some of it under the same names. */
function isOwn({ source, surface }: Origin): boolean {
  return source === 'ui' && surface === 'customer'
}
