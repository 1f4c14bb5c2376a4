import { Briefcase, FileText, Hand, MessageSquare, Square, Sunrise, Users } from 'lucide'
import { visibleText } from 'throughline/client'
import {
  ActorShape,
  Button,
  ButtonRow,
  Icon,
  LinkButton,
  SummaryList,
  dateTime,
  inBackground,
  number,
  time,
} from '../../../kit/index.ts'

import { LEAD_NAME, LEAD_POSITION } from '../../events/grid.ts'
import { KnownFace, expressionOf, faceOf } from '../grid/known-face.tsx'
import { tell } from '../team-requests.ts'
import type { Job } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import { panelLink } from '../use-panel.ts'
import { documentsOf } from '../view/documents.ts'
import { agentNamed } from '../view/doing.ts'
import type { Doing } from '../view/doing.ts'
import { shortCall } from '../view/short-call.ts'
import { doingIn } from '../view/standing.ts'
import { textOfEntry } from '../view/talk.ts'
import type { Entry } from '../view/talk.ts'
import type { TeamView } from '../view/team-view.ts'
import { sumOf } from '../view/turns.ts'
import { WORDS } from '../words.ts'
import styles from './agent-sheet.module.css'
import { dollars } from './dollars.ts'
import { Figures, NothingYet, PanelHead } from './panel-parts.tsx'
import { workOf } from '../view/work-of.ts'

/** Lines of the transcript that a sheet shows. */
const SAID_MAX = 12

export interface AgentSheetProps {
  readonly team: LiveTeam
  readonly jobs: readonly Job[]
  readonly name: string
  readonly onWriteTo: (name: string) => void
}

/** Who an agent is, what it said, wrote and used, and what a person can ask of it. */
export function AgentSheet(props: AgentSheetProps) {
  const { team, name } = props
  const { view } = team
  if (name === '' || (name !== LEAD_NAME && !agentNamed(view.agents, name))) {
    return (
      <section aria-label={WORDS.agent.heading}>
        <PanelHead title={WORDS.agent.heading} />
        <NothingYet icon={Users} text={name === '' ? WORDS.agent.none : WORDS.agent.gone(name)} />
      </section>
    )
  }
  const now = doingIn(team, name)
  return (
    <section aria-label={name}>
      <Card {...props} now={now} />
      <Acts {...props} now={now} />
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={WORDS.agent.about}>
        <Soul view={view} name={name} />
        <Said view={view} name={name} />
        <Files view={view} name={name} />
        <Used view={view} name={name} />
        <About view={view} name={name} />
      </div>
    </section>
  )
}

type WithNow = AgentSheetProps & { readonly now: Doing }

function Card({ team: { view }, jobs, name, now }: WithNow) {
  const { job } = workOf(name, jobs)
  const role = name === LEAD_NAME ? WORDS.agents.lead : (job ?? WORDS.agents.noJob)
  const { color } = faceOf(view.agents, name)
  return (
    <header className={styles.card}>
      <svg className={styles.glow} aria-hidden="true" focusable="false">
        <rect width="100%" height="100%" fill={color} />
      </svg>
      <KnownFace agents={view.agents} name={name} expression={expressionOf(now)} size="large" />
      <div className={styles.id}>
        <h2 tabIndex={-1}>{visibleText(name)}</h2>
        <p>
          <b>{role}</b>
        </p>
        <p className={styles[now.state]}>
          {now.call ? <code dir="ltr">{shortCall(now.call)}</code> : WORDS.agents.doing[now.state]}
        </p>
      </div>
    </header>
  )
}

function Acts({ team: { view }, name, now, onWriteTo }: WithNow) {
  const agent = agentNamed(view.agents, name)
  const canWake = view.session !== null && now.state === 'asleep' && agent
  const works = now.state === 'calls' || now.state === 'speaks' || now.state === 'thinks'
  return (
    <div className={styles.acts}>
      <ButtonRow>
        {now.state === 'waits' && (
          <LinkButton href="#needs-you">
            <Icon shape={Hand} /> {WORDS.agent.answer(name)}
          </LinkButton>
        )}
        {canWake && (
          <Button
            onClick={() => {
              const { gridPosition } = agent
              inBackground(tell('/api/agents/wake', { agents: [{ name, gridPosition }] }))
            }}
          >
            <Icon shape={Sunrise} /> {WORDS.agents.wakeOne(name)}
          </Button>
        )}
        {view.session && now.state !== 'asleep' && (
          <Button look="quiet" onClick={() => onWriteTo(name)}>
            <Icon shape={MessageSquare} /> {WORDS.agent.write(name)}
          </Button>
        )}
        {works && (
          <Button look="quiet" onClick={() => inBackground(tell('/api/interrupt'))}>
            <Icon shape={Square} /> {WORDS.chat.stop}
          </Button>
        )}
        {name !== LEAD_NAME && (
          <LinkButton look="quiet" href={panelLink('jobs')}>
            <Icon shape={Briefcase} /> {WORDS.agent.offer}
          </LinkButton>
        )}
      </ButtonRow>
    </div>
  )
}

interface OfProps {
  readonly view: TeamView
  readonly name: string
}

function Soul({ view, name }: OfProps) {
  const soul = agentNamed(view.agents, name)?.individuationArtifact ?? ''
  const document = view.artifacts.find(({ filename }) => soul !== '' && soul.endsWith(filename))
  return (
    <div className={styles.part}>
      <h3>{WORDS.agent.soul}</h3>
      {name === LEAD_NAME ? (
        <p className={styles.meta}>{WORDS.agent.leadSoul}</p>
      ) : soul === '' ? (
        <p className={styles.meta}>{WORDS.agent.noSoul}</p>
      ) : document ? (
        <a href={panelLink('documents', document.filename)}>{document.filename}</a>
      ) : (
        <blockquote className={styles.soul} dir="auto">
          {soul}
        </blockquote>
      )}
    </div>
  )
}

function Said({ view, name }: OfProps) {
  const lines = saidBy(view, name)
  return (
    <div className={styles.part}>
      <h3>
        {WORDS.agent.said}
        <a className={styles.more} href={panelLink('sessions')}>
          {WORDS.agent.all}
        </a>
      </h3>
      {lines.length === 0 ? (
        <p className={styles.meta}>{WORDS.agent.nothingSaid}</p>
      ) : (
        <ol className={styles.lines}>
          {lines.map((entry) => (
            <li key={entry.key}>
              {entry.kind === 'person' ? (
                <ActorShape actor="person" />
              ) : (
                <KnownFace agents={view.agents} name={name} size="tiny" />
              )}
              <span dir="auto">
                {entry.kind === 'person' && <b>{WORDS.agent.asked(entry.who)} </b>}
                {textOfEntry(entry)}
              </span>
              <time>{time(entry.ts)}</time>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

type Line = Exclude<Entry, { kind: 'notice' }>

/** What an agent said and was asked in the session that is open, or was last. */
function saidBy({ entries }: TeamView, name: string): readonly Line[] {
  const began = entries.findLastIndex((entry) => entry.kind === 'notice' && entry.about === 'began')
  const isTheirs = (entry: Entry): entry is Line =>
    entry.kind === 'agent'
      ? entry.who === name && textOfEntry(entry) !== ''
      : entry.kind === 'person' && (entry.to ?? LEAD_NAME) === name
  return entries
    .slice(began + 1)
    .filter(isTheirs)
    .slice(-SAID_MAX)
    .toReversed()
}

function Files({ view, name }: OfProps) {
  const own = documentsOf(view).filter(({ writes }) => writes.some(({ who }) => who === name))
  return (
    <div className={styles.part}>
      <h3>{WORDS.agent.files(name)}</h3>
      {own.length === 0 ? (
        <p className={styles.meta}>{WORDS.agent.noFiles}</p>
      ) : (
        <ul className={styles.lines}>
          {own.map(({ filename, versions, newest }) => (
            <li key={filename}>
              <Icon shape={FileText} />
              <span>
                <a href={panelLink('documents', filename)}>{filename}</a>{' '}
                <span className={styles.meta}>
                  {versions > 1 ? WORDS.documents.version(versions) : WORDS.documents.fresh}
                </span>
              </span>
              {newest && <time>{time(newest.ts)}</time>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Used({ view, name }: OfProps) {
  const session = view.session?.id ?? view.turns.at(-1)?.sessionId
  const sum = sumOf(view.turns.filter((turn) => turn.who === name && turn.sessionId === session))
  return (
    <div className={styles.part}>
      <h3>{WORDS.agent.usage}</h3>
      {sum.turns === 0 ? (
        <p className={styles.meta}>{WORDS.agent.noTurn}</p>
      ) : (
        <Figures
          figures={[
            { value: dollars(sum.costUsd), name: WORDS.agent.cost },
            { value: number(sum.turns), name: WORDS.agent.turns },
            { value: number(sum.calls), name: WORDS.agent.calls(sum.failedCalls) },
          ]}
        />
      )}
    </div>
  )
}

function About({ view, name }: OfProps) {
  const agent = agentNamed(view.agents, name)
  const position = agent?.gridPosition ?? LEAD_POSITION
  const place = WORDS.agent.places[position] ?? ''
  const awake = agent?.status === 'alive' ? WORDS.agent.now : timeOf(agent?.lastAliveAt)
  return (
    <div className={styles.part}>
      <h3>{WORDS.agent.about}</h3>
      <SummaryList
        rows={[
          { name: WORDS.agent.place, value: WORDS.agent.placeOf(place, position) },
          ...(agent
            ? [
                { name: WORDS.agent.summoned, value: timeOf(agent.createdAt) },
                { name: WORDS.agent.lastAwake, value: awake },
                { name: WORDS.agent.woken, value: WORDS.agent.wokenWith },
              ]
            : []),
        ]}
      />
    </div>
  )
}

function timeOf(iso: string | null | undefined): string {
  const at = Date.parse(iso ?? '')
  return Number.isNaN(at) ? '–' : dateTime(at)
}
