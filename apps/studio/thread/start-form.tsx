import { useState } from 'react'
import type { LiveAgentThread, useServedAgents } from 'throughline/react'
import { Banner, Button, Composer, SelectField, inBackground } from '../../kit/index.ts'
import type { PendingPrompt } from './pending-prompts.ts'
import { StopButton } from './stop-button.tsx'
import styles from './thread.module.css'
import { WORDS } from './words.ts'

export type Served = ReturnType<typeof useServedAgents>

export interface StartFormProps {
  readonly thread: LiveAgentThread
  readonly served: Served
  readonly prompts: readonly PendingPrompt[]
  /** The run that can be stopped, while there is one. */
  readonly working: string | undefined
  /** The agent that was asked last. */
  readonly latest: string | undefined
}

/** Choose an agent, ask it, stop it. */
export function StartForm(props: StartFormProps) {
  const { thread, served, prompts, working, latest } = props
  const [chosen, choose] = useState<string>()
  if (served.status === 'asking') return <p role="status">{WORDS.ask.loading}</p>
  if (served.status === 'failed') return <LookedUpInVain served={served} />
  // Others are asked in threads that their own application has begun.
  const agents = served.agents.filter(({ begins }) => begins)
  const known = (name: string | undefined) => agents.find((agent) => agent.name === name)?.name
  const agent = known(chosen) ?? known(latest) ?? agents[0]?.name
  if (agent === undefined) return <p>{WORDS.ask.none}</p>
  const description = agents.find(({ name }) => name === agent)?.description
  const sending = prompts.some(({ state }) => state.status !== 'failed')
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
          onSend={(text) => inBackground(thread.ask(agent, text))}
        />
      </div>
      {working !== undefined && (
        <StopButton key={working} stops={thread} run={working} label={WORDS.stop.stop} />
      )}
    </section>
  )
}

function LookedUpInVain({ served }: { readonly served: Served & { readonly status: 'failed' } }) {
  return (
    <Banner
      tone="problem"
      action={
        <Button look="quiet" onClick={served.look}>
          {WORDS.ask.again}
        </Button>
      }
    >
      {WORDS.ask.failed} {served.error.message}
    </Banner>
  )
}
