import { useState } from 'react'
import { Button, ButtonRow, inBackground } from '../../kit/index.ts'
import styles from './team.module.css'
import { tell } from './team-requests.ts'
import { WORDS } from './words.ts'

export interface StartPanelProps {
  readonly isScripted: boolean
  readonly needsSetup: boolean
}

/** The way to begin a session, with its needs and costs. */
export function StartPanel({ isScripted, needsSetup }: StartPanelProps) {
  const [fault, setFault] = useState<string>()
  const [isStarting, setStarting] = useState(false)
  const start = async (body = {}): Promise<void> => {
    setStarting(true)
    setFault(await tell('/api/session/start', body))
    setStarting(false)
  }
  const readiness = isStarting ? 'waiting' : 'ready'
  const hasProgram = !isScripted && !needsSetup
  return (
    <div className={styles.start}>
      <h3>{WORDS.start.heading}</h3>
      {isScripted && <p>{WORDS.start.scripted}</p>}
      {isScripted && <p className={styles.soft}>{WORDS.start.install}</p>}
      {needsSetup && <p>{WORDS.start.needsKey}</p>}
      {hasProgram && <p>{WORDS.start.ready}</p>}
      <ButtonRow>
        {hasProgram && (
          <Button readiness={readiness} onClick={() => inBackground(start())}>
            {WORDS.session.start}
          </Button>
        )}
        <Button
          look={hasProgram ? 'quiet' : 'primary'}
          readiness={readiness}
          onClick={() => inBackground(start({ demoMode: true }))}
        >
          {WORDS.session.demonstration}
        </Button>
      </ButtonRow>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}
