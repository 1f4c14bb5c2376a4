import { useState } from 'react'
import {
  ActorMark,
  Button,
  EmptyState,
  SelectField,
  useFollowEnd,
  inBackground,
} from '../../kit/index.ts'
import styles from './conversation.module.css'
import { MessageForm } from './message-form.tsx'
import { StartPanel } from './start-panel.tsx'
import { isWorking } from './team-view.ts'
import type { TeamItem } from './team-view.ts'
import { Undelivered } from './undelivered.tsx'
import { tell } from './team-requests.ts'
import type { LiveTeam } from './use-team.ts'
import { WORDS } from './words.ts'

/** The messages of people and agents, and a place to write. */
export function Conversation({ team }: { readonly team: LiveTeam }) {
  const { view, status } = team
  const { end } = useFollowEnd(String(view.items.length))
  const [target, setTarget] = useState('')
  const [depth, setDepth] = useState<Depth>('lead')
  const items = view.items.filter((item) => depth === 'all' || item.depth === 0)
  // While the program is away, what a person types stays, and is taken.
  const canWrite = view.session !== null || view.absence === 'restarting'
  const canStart = status === 'live' && !canWrite
  return (
    <section className={styles.section} aria-labelledby="conversation-heading">
      <h2 id="conversation-heading">{WORDS.chat.heading}</h2>
      {view.items.length === 0 && !canStart && <EmptyState>{WORDS.chat.none}</EmptyState>}
      {view.items.length > items.length || depth === 'all' ? (
        <DepthField depth={depth} onDepth={setDepth} />
      ) : null}
      <div role="log" aria-labelledby="conversation-heading" className={styles.log}>
        {items.map((item) => (
          <Said key={item.key} item={item} />
        ))}
      </div>
      {isWorking(view) && (
        <p className={styles.working} role="status">
          {WORDS.chat.working}{' '}
          <Button look="bare" onClick={() => inBackground(tell('/api/interrupt'))}>
            {WORDS.chat.stop}
          </Button>
        </p>
      )}
      <div ref={end} />
      {canStart && <StartPanel isScripted={team.isScripted} needsSetup={view.needsSetup} />}
      {canWrite && <MessageForm view={view} target={target} onTarget={setTarget} />}
    </section>
  )
}

type Depth = 'lead' | 'all'

function DepthField(props: { readonly depth: Depth; readonly onDepth: (depth: Depth) => void }) {
  return (
    <div className={styles.target}>
      <SelectField
        id="depth"
        label={WORDS.chat.depth}
        unset="never"
        value={props.depth}
        options={[
          { value: 'lead', label: WORDS.chat.leadOnly },
          { value: 'all', label: WORDS.chat.allDepths },
        ]}
        onChange={(value) => props.onDepth(value === 'all' ? 'all' : 'lead')}
      />
    </div>
  )
}

/** One message, drawn from its props alone. */
export function Said({ item }: { readonly item: TeamItem }) {
  const { by, who, text, calls, to, depth } = item
  if (by === 'notice') {
    return (
      <div>
        <p className={styles.notice}>
          <ActorMark actor="system" /> {text}
        </p>
        <Undelivered item={item} />
      </div>
    )
  }
  const name = depth === 1 ? WORDS.chat.subAgent : who || WORDS.lead
  if (text === '') {
    return (
      <p className={styles.call}>
        <ActorMark actor="model" /> {name} · {WORDS.chat.calls(calls.join(', '))}
      </p>
    )
  }
  return (
    <article className={`${styles.bubble} ${styles[by]}`}>
      <p className={styles.who}>
        <ActorMark actor={by === 'person' ? 'person' : 'model'} /> {name}
        {to !== null && <span className={styles.soft}> {WORDS.chat.to(to)}</span>}
      </p>
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {calls.length > 0 && <p className={styles.soft}>{WORDS.chat.calls(calls.join(', '))}</p>}
      <Undelivered item={item} />
    </article>
  )
}
