import { Sheet, SummaryList } from '../../kit/index.ts'
import { answersSoFar } from './answers.ts'
import type { CaseView } from './case-view.ts'
import { isNothingSubmitted } from './case-view.ts'
import { SHELL_WORDS } from './shell-words.ts'
import type { Pages } from './use-page-history.ts'

const words = SHELL_WORDS.answers

export interface AnswersSheetProps {
  readonly pages: Pages
  readonly view: CaseView
}

/** All that the customer has answered, with a way to change it where the rules allow that. */
export function AnswersSheet({ pages, view }: AnswersSheetProps) {
  const rows = answersSoFar(view, pages.openAgain)
  return (
    <Sheet
      sheet={pages.sheetNamed('answers')}
      title={words.title}
      note={isNothingSubmitted(view) ? words.nothingSubmitted : words.submitted}
    >
      {rows.length === 0 ? <p>{words.none}</p> : <SummaryList rows={rows} />}
    </Sheet>
  )
}
