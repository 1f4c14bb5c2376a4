import { ArrowDown, Gauge, KeyRound, WifiOff } from 'lucide'
import { useState } from 'react'
import {
  Button,
  EmptyState,
  Icon,
  Strip,
  VisuallyHidden,
  useFollowEnd,
} from '../../../kit/index.ts'
import type { Entry } from '../view/talk.ts'
import { countNew } from '../view/new-since.ts'
import type { TeamView } from '../view/team-view.ts'
import { panelLink } from '../use-panel.ts'
import type { LiveTeam } from '../use-team.ts'
import { WORDS } from '../words.ts'
import { AgentTurn } from './agent-turn.tsx'
import { MessageBox } from './message-box.tsx'
import { NeedsYou } from './needs-you.tsx'
import { Now } from './now.tsx'
import { Notice, PersonTurn } from './person-turn.tsx'
import { StartPanel } from './start-panel.tsx'
import styles from './talk.module.css'

/** Entries that are drawn at first; earlier ones on request. */
const ENTRIES_SHOWN = 60

export interface ConversationProps {
  readonly team: LiveTeam
  readonly target: string
  readonly onTarget: (name: string) => void
}

/** What people and agents say and do, what needs an answer, and a place to write. */
export function Conversation({ team, target, onTarget }: ConversationProps) {
  const { view, status } = team
  const [shows, setShows] = useState<'talk' | 'work'>('work')
  const { end, unread, showEnd, follow } = useFollowEnd(`${view.newest} ${shows}`)
  const seen = useSeen(view.newest, unread)
  const canWrite = view.session !== null || view.absence === 'restarting'
  const canStart = status === 'live' && !canWrite
  return (
    <main className={styles.talk} id="talk" aria-label={WORDS.chat.heading}>
      <Bar
        count={view.entries.filter(isMessage).length}
        shows={canWrite ? shows : undefined}
        onShows={setShows}
      />
      {status === 'lost' && <Lost onTry={team.tryNow} />}
      <div className={styles.log} role="log" aria-label={WORDS.chat.heading} tabIndex={0}>
        <div className={styles.content}>
          <Entries team={team} shows={shows} seen={unread === 'some' ? seen : undefined} />
          <Now team={team} />
          {canStart ? <StartPanel team={team} /> : <Silence view={view} />}
          <div ref={end} className={styles.end} />
        </div>
      </div>
      <div className={styles.dock}>
        {unread === 'some' && <Pill entries={view.entries} seen={seen} onShow={showEnd} />}
        <NeedsYou team={team} />
        {view.session && <Warnings team={team} />}
        {canWrite && <MessageBox team={team} target={target} onTarget={onTarget} onSent={follow} />}
      </div>
    </main>
  )
}

/** Why turns fail, or do not begin. */
function Warnings({ team: { view, budget } }: Pick<ConversationProps, 'team'>) {
  return (
    <>
      {view.needsSetup && (
        <Strip tone="warning" icon={KeyRound}>
          {WORDS.start.needsKey}
        </Strip>
      )}
      <Spent percent={budget?.percent ?? 0} />
    </>
  )
}

/** The server begins no turn once the budget is used. */
function Spent({ percent }: { readonly percent: number }) {
  if (percent < 80) return null
  const isUsedUp = percent >= 100
  return (
    <Strip tone={isUsedUp ? 'warning' : 'note'} icon={Gauge}>
      {isUsedUp ? WORDS.usage.usedUp : WORDS.usage.nearlyUsed(Math.floor(percent))}{' '}
      <a href={panelLink('usage')}>{WORDS.usage.change}</a>
    </Strip>
  )
}

/** The newest event that the person had in sight. What is drawn first is known to be out of sight only then. */
function useSeen(newest: number, unread: 'none' | 'some'): number {
  const [known, setKnown] = useState({ newest, before: newest })
  if (unread === 'none' && known.newest !== newest) {
    setKnown({ newest, before: known.newest })
  }
  return known.before
}

/** What happened to the session is no message. */
function isMessage({ kind }: Entry): boolean {
  return kind !== 'notice'
}

function Silence({ view }: { readonly view: TeamView }) {
  return view.entries.length === 0 ? <EmptyState>{WORDS.chat.none}</EmptyState> : null
}

interface BarProps {
  readonly count: number
  /** Absent where there is nothing to choose. */
  readonly shows: 'talk' | 'work' | undefined
  readonly onShows: (shows: 'talk' | 'work') => void
}

function Bar({ count, shows, onShows }: BarProps) {
  return (
    <div className={styles.bar}>
      <h2>{WORDS.chat.heading}</h2>
      <span className={styles.meta}>{count > 0 && WORDS.chat.count(count)}</span>
      {shows && <Shows shows={shows} onShows={onShows} />}
    </div>
  )
}

interface ShowsProps {
  readonly shows: 'talk' | 'work'
  readonly onShows: (shows: 'talk' | 'work') => void
}

function Shows({ shows, onShows }: ShowsProps) {
  return (
    <fieldset className={styles.shows}>
      <legend>
        <VisuallyHidden>{WORDS.chat.show}</VisuallyHidden>
      </legend>
      {(['talk', 'work'] as const).map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="shows"
            checked={each === shows}
            onChange={() => onShows(each)}
          />
          <span>{WORDS.chat[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Lost({ onTry }: { readonly onTry: () => void }) {
  return (
    <div className={styles.lost} role="alert">
      <Icon shape={WifiOff} />
      <span>
        <b>{WORDS.status.lost}</b> {WORDS.status.goesOn}
      </span>
      <Button look="quiet" onClick={onTry}>
        {WORDS.status.tryNow}
      </Button>
    </div>
  )
}

interface EntriesProps {
  readonly team: LiveTeam
  readonly shows: 'talk' | 'work'
  /** New entries are those after it. */
  readonly seen: number | undefined
}

/** What was said and done, the newest at the end. */
export function Entries({ team: { view }, shows, seen }: EntriesProps) {
  const [more, setMore] = useState(0)
  const { entries, agents, artifacts } = view
  const hidden = Math.max(0, entries.length - ENTRIES_SHOWN - more)
  const fresh = seen === undefined ? undefined : entries.find(({ key }) => key > seen)
  return (
    <ol className={styles.entries}>
      {hidden > 0 && (
        <li className={styles.earlier}>
          <Button look="bare" onClick={() => setMore(more + ENTRIES_SHOWN)}>
            {WORDS.chat.earlier(hidden)}
          </Button>
        </li>
      )}
      {entries
        .slice(hidden)
        .flatMap((entry) => [
          ...(entry === fresh ? [<Fresh key="fresh" entries={entries} seen={seen ?? 0} />] : []),
          <Shown
            key={entry.key}
            entry={entry}
            agents={agents}
            artifacts={artifacts}
            shows={shows}
          />,
        ])}
    </ol>
  )
}

function Shown({
  entry,
  ...rest
}: { readonly entry: Entry } & Omit<Parameters<typeof AgentTurn>[0], 'entry'>) {
  if (entry.kind === 'person') return <PersonTurn entry={entry} />
  if (entry.kind === 'notice') return <Notice entry={entry} />
  return <AgentTurn entry={entry} {...rest} />
}

interface FreshProps {
  readonly entries: readonly Entry[]
  readonly seen: number
}

function Fresh({ entries, seen }: FreshProps) {
  return (
    <li className={styles.fresh}>
      <span>{WORDS.chat.freshLine(countNew(entries, seen).count)}</span>
    </li>
  )
}

function Pill({ entries, seen, onShow }: FreshProps & { readonly onShow: () => void }) {
  const { count, names, failed } = countNew(entries, seen)
  const from = names.length > 0 ? WORDS.chat.from(names.join(', ')) : ''
  const fault = failed > 0 ? `, ${WORDS.chat.failedCalls(failed)}` : ''
  return (
    <div className={styles.pill}>
      <Button look="quiet" onClick={onShow}>
        <Icon shape={ArrowDown} /> <b>{WORDS.chat.fresh(Math.max(1, count))}</b> {from}
        {fault}
      </Button>
    </div>
  )
}
