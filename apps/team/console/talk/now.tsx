import { Square } from 'lucide'
import { Button, Icon, callWords, duration, inBackground, useNow } from '../../../kit/index.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { tell } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import type { Doing } from '../view/doing.ts'
import { doingIn, isHeld } from '../view/standing.ts'
import { isWorking, workingAgent } from '../view/team-view.ts'
import type { TeamView } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import styles from './now.module.css'
import { Spinner } from './spinner.tsx'

const SECOND_MS = 1_000

/** What is being done now, for how long, and the way to stop it. */
export function Now({ team }: { readonly team: LiveTeam }) {
  const { view, status } = team
  const name = workingAgent(view)
  if (!isWorking(view) || name === undefined || status !== 'live' || isHeld(team)) return null
  const now = doingIn(team, name)
  const since = now.call?.startedAt ?? sinceOf(view)
  return (
    <div className={styles.now} role="status" aria-label={WORDS.chat.now(name)}>
      <KnownFace agents={view.agents} name={name} />
      <span className={styles.running}>
        <Spinner />
        <span className={styles.nowWhat}>
          <Told name={name} now={now} />
        </span>
        <span className={styles.at} aria-hidden="true">
          <Counting since={since} />
        </span>
        <Button look="bare" onClick={() => inBackground(tell('/api/interrupt'))}>
          <Icon shape={Square} /> {WORDS.chat.stop}
        </Button>
      </span>
    </div>
  )
}

function Told({ name, now }: { readonly name: string; readonly now: Doing }) {
  if (now.state === 'waits') return <b>{`${name}: ${WORDS.agents.doing.waits}`}</b>
  if (now.call) {
    const { object } = callWords(now.call.name, now.call.input)
    return (
      <>
        <b>{WORDS.chat.runs(name)}</b> <code dir="ltr">{object}</code>
      </>
    )
  }
  return <b>{now.state === 'speaks' ? WORDS.chat.speaks(name) : WORDS.chat.thinks(name)}</b>
}

/** When the turn began, or its newest step. */
function sinceOf({ waiting: [now], entries }: TeamView): number {
  const last = entries.at(-1)
  return Math.max(now?.ts ?? 0, last?.ts ?? 0)
}

export function Counting({ since }: { readonly since: number }) {
  const now = useNow()
  // The server's clock may be ahead of this one.
  return duration(Math.floor(Math.max(0, now - since) / SECOND_MS) * SECOND_MS)
}
