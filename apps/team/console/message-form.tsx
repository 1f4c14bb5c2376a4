import { useState } from 'react'
import { Composer, SelectField, inBackground } from '../../kit/index.ts'
import styles from './conversation.module.css'
import { tell } from './team-requests.ts'
import type { TeamView } from './team-view.ts'
import { WORDS } from './words.ts'

export interface MessageFormProps {
  readonly view: TeamView
  readonly target: string
  readonly onTarget: (name: string) => void
}

export function MessageForm({ view, target, onTarget }: MessageFormProps) {
  const [fault, setFault] = useState<string>()
  const names = Object.values(view.agents).map(({ name }) => name)
  const send = async (message: string): Promise<void> => {
    const body = {
      id: crypto.randomUUID(),
      message,
      ...(target === '' ? {} : { targetAgent: target }),
    }
    setFault(await tell('/api/send', body))
  }
  return (
    <div className={styles.form}>
      <div className={styles.target}>
        <SelectField
          id="target"
          label={WORDS.chat.target}
          unset="never"
          value={target}
          options={[
            { value: '', label: WORDS.chat.everyone },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          onChange={onTarget}
        />
      </div>
      <div className={styles.composer}>
        <Composer readiness="ready" queue="offered" onSend={(text) => inBackground(send(text))} />
      </div>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {WORDS.chat.notSent} {fault}
        </p>
      )}
    </div>
  )
}
