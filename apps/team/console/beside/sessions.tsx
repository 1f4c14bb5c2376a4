import { History } from 'lucide'
import { useState } from 'react'
import { ActorShape, day, time } from '../../../kit/index.ts'
import { KnownFace } from '../grid/known-face.tsx'
import type { KeptSession, Transcript, TranscriptMessage } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import { panelLink } from '../use-panel.ts'
import { sessionNumber } from '../view/session-number.ts'
import type { TeamView } from '../view/team-view.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import { WORDS } from '../words.ts'
import { Filters, Find, NothingYet, PanelHead } from './panel-parts.tsx'
import styles from './sessions.module.css'
import { useTranscripts } from './use-transcripts.ts'

export interface SessionsProps {
  readonly team: LiveTeam
  /** The session that is read; empty for the newest. */
  readonly session: string
}

/** The transcripts of all sessions, with search. */
export function Sessions({ team: { view }, session }: SessionsProps) {
  const [find, setFind] = useState('')
  const [agent, setAgent] = useState('')
  const isSearch = find.trim() !== ''
  const [newestSession, setNewest] = useState('')
  const read = session === '' ? newestSession : session
  const query = { session: isSearch ? '' : read, agent, find: find.trim() }
  const { sessions, transcript } = useTranscripts(query, view.newest)
  const [first] = sessions
  if (first && first.sessionId !== newestSession) setNewest(first.sessionId)
  if (!first) {
    return (
      <section aria-label={WORDS.sessions.heading}>
        <PanelHead title={WORDS.sessions.heading} />
        <NothingYet icon={History} text={WORDS.sessions.none} />
      </section>
    )
  }
  const messages = sessions.reduce((sum, each) => sum + each.messages, 0)
  return (
    <section aria-label={WORDS.sessions.heading}>
      <PanelHead
        title={WORDS.sessions.heading}
        note={WORDS.sessions.count(sessions.length, messages)}
      >
        <Find
          label={WORDS.sessions.findIn}
          placeholder={WORDS.sessions.find}
          value={find}
          onChange={setFind}
        />
      </PanelHead>
      <Filters
        label={WORDS.sessions.agent}
        name="transcript-of"
        value={agent}
        options={[
          { value: '', label: WORDS.sessions.everyone },
          ...namesIn(view).map((name) => ({ value: name, label: name })),
        ]}
        onChange={setAgent}
      />
      {!isSearch && <List sessions={sessions} read={read} />}
      <Read
        view={view}
        transcript={transcript}
        title={isSearch ? undefined : sessions.find((each) => each.sessionId === read)}
      />
    </section>
  )
}

function namesIn({ agents }: TeamView): readonly string[] {
  return [LEAD_NAME, ...Object.values(agents).map(({ name }) => name)]
}

interface ListProps {
  readonly sessions: readonly KeptSession[]
  readonly read: string
}

function List({ sessions, read }: ListProps) {
  const days = Map.groupBy(sessions, ({ startedAt }) => day(Date.parse(startedAt)))
  return (
    <div className={styles.list} role="group" aria-label={WORDS.sessions.list}>
      {[...days].map(([date, ofDay]) => (
        <div key={date}>
          <h3>{date}</h3>
          <ul>
            {ofDay.map((session) => (
              <li key={session.sessionId}>
                <Row session={session} isRead={session.sessionId === read} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function Row({ session, isRead }: { readonly session: KeptSession; readonly isRead: boolean }) {
  const { sessionId, startedAt, endedAt, reason, messages } = session
  const to = endedAt === null ? WORDS.sessions.now : time(Date.parse(endedAt))
  return (
    <a
      className={styles.row}
      href={panelLink('sessions', sessionId)}
      aria-current={isRead || undefined}
    >
      <b>{WORDS.sessions.session(sessionNumber(sessionId))}</b>
      <span>{WORDS.sessions.span(time(Date.parse(startedAt)), to)}</span>
      <span className={styles.meta}>{WORDS.sessions.messages(messages)}</span>
      <span className={styles.meta}>
        {endedAt === null ? WORDS.sessions.open : reason ? endWords(reason) : ''}
      </span>
    </a>
  )
}

function endWords(reason: string): string {
  return WORDS.sessions.ends[reason as keyof typeof WORDS.sessions.ends]
}

interface ReadProps {
  readonly view: TeamView
  readonly transcript: Transcript | undefined
  /** The session that is read; undefined for what a search found. */
  readonly title: KeptSession | undefined
}

function Read({ view, transcript, title }: ReadProps) {
  if (!transcript) return null
  const { messages, count } = transcript
  if (messages.length === 0) return <NothingYet icon={History} text={WORDS.sessions.noMatch} />
  const name = title ? WORDS.sessions.session(sessionNumber(title.sessionId)) : ''
  return (
    <div className={styles.reader}>
      <p className={styles.bar}>
        {title && <b>{name}</b>}{' '}
        <span className={styles.meta}>{WORDS.sessions.found(count, messages.length)}</span>
      </p>
      <ol className={styles.transcript} tabIndex={0} aria-label={WORDS.sessions.transcript(name)}>
        {messages.map((message) => (
          <Line key={message.id} message={message} view={view} isFound={title === undefined} />
        ))}
      </ol>
    </div>
  )
}

interface LineProps {
  readonly message: TranscriptMessage
  readonly view: TeamView
  readonly isFound: boolean
}

function Line({ message, view, isFound }: LineProps) {
  const { role, speakerName, targetAgent, text, calls, createdAt, sessionId, isCutOff } = message
  const at = Date.parse(createdAt)
  return (
    <li className={text === '' ? styles.soft : ''}>
      {role === 'user' ? (
        <ActorShape actor="person" />
      ) : (
        <KnownFace agents={view.agents} name={speakerName} size="tiny" />
      )}
      <span dir="auto">
        {text === '' ? (
          WORDS.sessions.calls(speakerName, calls)
        ) : (
          <>
            <b>{speakerName}</b>
            {targetAgent ? ` ${WORDS.chat.to(targetAgent)}` : ''}: {text}
          </>
        )}
        {isCutOff && <i className={styles.meta}> {WORDS.sessions.cutOff}</i>}
      </span>
      {isFound && sessionId !== null ? (
        <a className={styles.meta} href={panelLink('sessions', sessionId)}>
          {day(at)}
        </a>
      ) : (
        <time className={styles.meta}>{time(at)}</time>
      )}
    </li>
  )
}
