import type { Chat, Readiness, Stop, Turns } from '../../kit/index.ts'
import type { CardProps } from './actions.ts'
import { AnswersSheet } from './answers-sheet.tsx'
import { AskSheet } from './ask-sheet.tsx'
import type { CaseView } from './case-view.ts'
import type { OfflinePress } from './offline-press.ts'
import { PersonSheet } from './person-sheet.tsx'
import type { Pages } from './use-page-history.ts'
import { TurnDownSheet } from './turn-down-sheet.tsx'
import { WithdrawSheet } from './withdraw-sheet.tsx'

export interface JourneySheetsProps {
  readonly pages: Pages
  readonly view: CaseView
  readonly chat: Chat
  readonly turns: Turns
  readonly stop: Stop
  readonly readiness: Readiness
  readonly isEnded: boolean
  readonly offlineAt: OfflinePress['place']
  readonly record: CardProps['record']
}

/** Everything that can stand over the card, one at a time. */
export function JourneySheets(props: JourneySheetsProps) {
  const { pages, view, chat, turns, stop, readiness, isEnded, offlineAt, record } = props
  return (
    <>
      <AskSheet {...{ pages, chat, turns, stop, readiness, isEnded }} />
      <PersonSheet pages={pages} view={view} />
      <AnswersSheet pages={pages} view={view} />
      <TurnDownSheet
        pages={pages}
        view={view}
        turns={turns}
        readiness={readiness}
        offlineAt={offlineAt}
        record={record}
      />
      <WithdrawSheet
        pages={pages}
        view={view}
        turns={turns}
        readiness={readiness}
        offlineAt={offlineAt}
        record={record}
      />
    </>
  )
}
