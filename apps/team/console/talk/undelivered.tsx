import { useState } from 'react'
import { Button, ButtonRow, inBackground } from '../../../kit/index.ts'
import styles from './turn.module.css'
import type { Undelivered as Fate } from '../view/talk.ts'
import { tell } from '../team-requests.ts'
import { WORDS } from '../words.ts'

interface UndeliveredProps {
  readonly item: { readonly uuid?: string; readonly undelivered?: Fate }
}

/** Says that the program does not have a message. A person sends it again, or drops it. */
export function Undelivered({ item: { uuid = '', undelivered } }: UndeliveredProps) {
  const [fault, setFault] = useState<string>()
  if (undelivered === undefined) return null
  const settle = async (act: 'send_again' | 'drop'): Promise<void> => {
    setFault(await tell('/api/set-aside', { message: uuid, act }))
  }
  return (
    <>
      <p className={styles.undelivered}>{WORDS.chat.undelivered[undelivered]}</p>
      {undelivered === 'set_aside' && (
        <ButtonRow>
          <Button look="quiet" onClick={() => inBackground(settle('send_again'))}>
            {WORDS.chat.sendAgain}
          </Button>
          <Button look="quiet" onClick={() => inBackground(settle('drop'))}>
            {WORDS.chat.drop}
          </Button>
        </ButtonRow>
      )}
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </>
  )
}
