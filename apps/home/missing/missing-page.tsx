import { DeadEnd, reportCode } from '../../kit/index.ts'
import { WORDS } from './words.ts'

/** What a browser gets for an address without a page. */
export function MissingPage() {
  return <DeadEnd title={WORDS.title} text={WORDS.text} acts={WORDS.acts} code={reportCode()} />
}
