import { useState } from 'react'
import type { PageEntry } from '../../kit/index.ts'
import { Banner, Button, Composer, SelectField } from '../../kit/index.ts'
import { StopButton } from './stop-button.tsx'
import styles from './thread.module.css'
import type { Prompts } from './use-prompt.ts'
import type { ServedAgents } from './use-served-agents.ts'
import { WORDS } from './words.ts'

export interface StartFormProps {
  readonly entry: PageEntry
  readonly served: ServedAgents
  readonly onLookAgain: () => void
  readonly prompts: Prompts
  /** The run that can be stopped, while there is one. */
  readonly working: string | undefined
  /** Who was asked last. */
  readonly latest: string | undefined
}

/** Choose an agent, ask it, stop it. */
export function StartForm(props: StartFormProps) {
  const { entry, served, onLookAgain, prompts, working, latest } = props
  const [chosen, choose] = useState<string>()
  if (served.status === 'asking') return <p role="status">{WORDS.ask.loading}</p>
  if (served.status === 'failed') return <LookedUpInVain served={served} onAgain={onLookAgain} />
  const { agents } = served
  const known = (name: string | undefined) => agents.find((agent) => agent.name === name)?.name
  const agent = known(chosen) ?? known(latest) ?? agents[0]?.name
  if (agent === undefined) return <p>{WORDS.ask.none}</p>
  const description = agents.find(({ name }) => name === agent)?.description
  const sending = prompts.pending.some(({ state }) => state.status === 'sending')
  return (
    <section className={styles.start} aria-label={WORDS.ask.heading}>
      <div className={styles.who}>
        <SelectField
          id="agent"
          label={WORDS.ask.agent}
          value={agent}
          options={agents.map(({ name }) => ({ value: name, label: name }))}
          onChange={choose}
        />
      </div>
      {latest === undefined && <p className={styles.description}>{description}</p>}
      <div className={styles.message}>
        <Composer
          readiness={sending ? 'waiting' : 'ready'}
          onSend={(text) => prompts.ask(agent, text)}
        />
      </div>
      {working !== undefined && (
        <StopButton key={working} entry={entry} run={working} label={WORDS.stop.stop} />
      )}
    </section>
  )
}

interface LookedUpInVainProps {
  readonly served: ServedAgents & { readonly status: 'failed' }
  readonly onAgain: () => void
}

function LookedUpInVain({ served, onAgain }: LookedUpInVainProps) {
  return (
    <Banner
      tone="problem"
      action={
        <Button look="secondary" onClick={onAgain}>
          {WORDS.ask.again}
        </Button>
      }
    >
      {WORDS.ask.failed} {served.detail}
    </Banner>
  )
}
