import { Clapperboard, Cpu, KeyRound, LogOut, Radio, WifiOff } from 'lucide'
import { useState } from 'react'
import { placeCommands } from '../../home/place-commands.ts'
import {
  Brand,
  Button,
  CommandPalette,
  Icon,
  LinkButton,
  Tag,
  duration,
  inBackground,
} from '../../kit/index.ts'
import { dollars } from './beside/dollars.ts'
import styles from './team-header.module.css'
import { tell } from './team-requests.ts'
import type { LiveTeam } from './use-team.ts'
import { panelLink } from './use-panel.ts'
import { sessionNumber } from './view/session-number.ts'
import { isScriptedSession } from './view/team-view.ts'
import { sumOf } from './view/turns.ts'
import { WORDS } from './words.ts'

/** Which session is open, who plays it, what it costs, and the way to end it. */
export function TeamHeader({ team }: { readonly team: LiveTeam }) {
  const { view, status } = team
  const { session, absence } = view
  const [fault, setFault] = useState<string>()
  const end = async (): Promise<void> => setFault(await tell('/api/session/end'))
  const isScripted = session !== null && isScriptedSession(session)
  return (
    <header className={styles.header}>
      <span className={styles.brand}>
        <Brand name="Throughline" href="/" />
      </span>
      <h1>{WORDS.title}</h1>
      {session ? (
        <LinkButton look="quiet" href={panelLink('sessions')}>
          <span className={styles.long}>{WORDS.session.today(sessionNumber(session.id))}</span>
          <span className={styles.short}>{WORDS.session.number(sessionNumber(session.id))}</span>
        </LinkButton>
      ) : (
        <Tag>{WORDS.session.none}</Tag>
      )}
      {isScripted && (
        <span className={styles.connection}>
          <Tag tone="note" icon={Clapperboard}>
            {WORDS.session.demo}
          </Tag>
        </span>
      )}
      <Connection status={status} />
      <span className={styles.push} />
      {session && <Program team={team} isScripted={isScripted} />}
      {session && !isScripted && <Cost team={team} />}
      <CommandPalette commands={placeCommands} label="where there is room" />
      {(session || absence !== 'ended') && (
        <Button
          look="quiet"
          {...(status === 'lost' && { unavailable: '' })}
          onClick={() => inBackground(end())}
        >
          <Icon shape={LogOut} /> <span className={styles.end}>{WORDS.session.end}</span>
        </Button>
      )}
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </header>
  )
}

function Connection({ status }: Pick<LiveTeam, 'status'>) {
  if (status === 'refused') return null
  return (
    <span role="status" className={styles.connection}>
      <Tag
        tone={status === 'lost' ? 'problem' : status === 'live' ? 'ok' : 'plain'}
        icon={status === 'lost' ? WifiOff : Radio}
      >
        {status === 'lost' ? WORDS.status.notConnected : WORDS.status[status]}
      </Tag>
    </span>
  )
}

function Program({
  team: { view },
  isScripted,
}: {
  readonly team: LiveTeam
  readonly isScripted: boolean
}) {
  const { session, auth } = view
  const minutes = auth?.expiresInMinutes ?? null
  return (
    <>
      <span className={styles.fact}>
        <Icon shape={Cpu} />{' '}
        {isScripted ? WORDS.session.script : WORDS.session.program(session?.model ?? '')}
      </span>
      {!isScripted && auth && (
        <span className={styles.fact}>
          <Icon shape={KeyRound} />{' '}
          {WORDS.session.signedIn[view.needsSetup ? 'none' : auth.authMethod]}
          {!view.needsSetup &&
            minutes !== null &&
            `, ${WORDS.session.left(duration(minutes * 60_000))}`}
        </span>
      )}
    </>
  )
}

function Cost({ team: { view, budget } }: { readonly team: LiveTeam }) {
  const { costUsd } = sumOf(view.turns.filter(({ sessionId }) => sessionId === view.session?.id))
  const limit = budget?.budget.costUsd ?? null
  return (
    <a className={styles.cost} href={panelLink('usage')}>
      <b>{dollars(budget?.spent.costUsd ?? costUsd)}</b>
      {limit !== null && <span>{WORDS.session.ofBudget(dollars(limit))}</span>}
    </a>
  )
}
