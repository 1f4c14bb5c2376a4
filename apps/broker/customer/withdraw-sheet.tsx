import { useState } from 'react'
import type { Readiness, Turns } from '../../kit/index.ts'
import { Button, ButtonRow, Note, Sheet, TextField } from '../../kit/index.ts'
import { REASON_LENGTH_MAX } from '../case/limits.ts'
import type { CardProps } from './actions.ts'
import { CardOutcome, SavingStatus } from './card-outcome.tsx'
import type { OfflinePress } from './offline-press.ts'
import { isNothingSubmitted } from './case-view.ts'
import { SHELL_WORDS } from './shell-words.ts'
import type { Pages } from './use-page-history.ts'
import styles from './withdraw-sheet.module.css'

const words = SHELL_WORDS.withdraw

export interface WithdrawSheetProps extends Pick<CardProps, 'view' | 'record'> {
  readonly pages: Pages
  readonly turns: Turns
  readonly readiness: Readiness
  readonly offlineAt: OfflinePress['place']
}

/** Ends the application. Both buttons weigh the same: the sheet does not persuade to stay. */
export function WithdrawSheet(props: WithdrawSheetProps) {
  const { pages, view, turns, readiness, offlineAt, record } = props
  const [reason, setReason] = useState('')
  const withdraw = (): void => {
    const given = reason.trim()
    const data = given === '' ? {} : { reason: given }
    record([{ type: 'withdraw', data }], () => pages.closeSheet('withdraw'))
  }
  return (
    <Sheet
      sheet={pages.sheetNamed('withdraw')}
      title={words.title}
      foot={
        <>
          <SavingStatus turns={turns} place="footer" />
          <CardOutcome turns={turns} place="footer" offlineAt={offlineAt} />
          <ButtonRow>
            <Button look="equal" onClick={() => pages.closeSheet('withdraw')}>
              {words.keep}
            </Button>
            <Button look="equal" readiness={readiness} onClick={withdraw}>
              {words.confirm}
            </Button>
          </ButtonRow>
        </>
      }
    >
      <p>{isNothingSubmitted(view) ? words.beforeLenders : words.afterLenders}</p>
      <Note tone="plain">
        {words.break}{' '}
        <button type="button" className={styles.save} onClick={() => pages.openSheet('saved')}>
          {words.save}
        </button>{' '}
        {words.keeps}
      </Note>
      <TextField
        id="withdraw-reason"
        kind="lines"
        label={words.reason}
        maxLength={REASON_LENGTH_MAX}
        value={reason}
        onChange={setReason}
      />
    </Sheet>
  )
}
