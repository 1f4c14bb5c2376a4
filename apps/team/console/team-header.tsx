import { useState } from 'react'
import { Brand, Button, CommandPalette, Tag, inBackground } from '../../kit/index.ts'
import { placeCommands } from '../../home/place-commands.ts'
import styles from './team.module.css'
import { tell } from './team-requests.ts'
import { isScriptedSession } from './team-view.ts'
import type { LiveTeam } from './use-team.ts'
import { WORDS } from './words.ts'

/** Which session is open, who plays it, and the way to end it. */
export function TeamHeader({ team: { view, status } }: { readonly team: LiveTeam }) {
  const { session, absence } = view
  const [fault, setFault] = useState<string>()
  const end = async (): Promise<void> => setFault(await tell('/api/session/end'))
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        <Brand name="Throughline" href="/" />
        <h1>{WORDS.title}</h1>
        <p className={styles.soft} role="status">
          {status === 'live' ? '' : WORDS.status[status]}
        </p>
      </div>
      <div className={styles.session}>
        {session && isScriptedSession(session) && <Tag tone="note">{WORDS.session.demo}</Tag>}
        {session && (
          <span className={styles.soft}>{WORDS.session.open(session.id, session.model)}</span>
        )}
        {(session || absence !== 'ended') && (
          <Button look="quiet" onClick={() => inBackground(end())}>
            {WORDS.session.end}
          </Button>
        )}
        <CommandPalette commands={placeCommands} />
      </div>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </header>
  )
}
