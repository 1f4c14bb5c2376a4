import { DeadEnd, reportCode } from '../../kit/index.ts'
import { WORDS } from './words.ts'

/** The page for unknown addresses. */
export function MissingPage() {
  return <DeadEnd title={WORDS.title} text={WORDS.text} acts={WORDS.acts} code={reportCode()} />
}
