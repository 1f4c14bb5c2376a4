import { CircleAlert, CircleCheck, Folder, Hand } from 'lucide'
import type { IconNode } from 'lucide'
import { useState } from 'react'
import { Button, ButtonRow, Icon, TextField, duration, inBackground } from '../../../kit/index.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import { budgetOf } from '../beside/budget.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { tell } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import { WORDS } from '../words.ts'
import styles from './start-panel.module.css'

/** The way to begin a session, with its needs and costs. */
export function StartPanel({ team }: { readonly team: LiveTeam }) {
  const { view, isScripted } = team
  const [fault, setFault] = useState<string>()
  const [isStarting, setStarting] = useState(false)
  const start = async (body = {}): Promise<void> => {
    setStarting(true)
    setFault(await tell('/api/session/start', body))
    setStarting(false)
  }
  const [budget, setBudget] = useState('')
  const amount = budgetOf(budget)
  const readiness = isStarting ? 'waiting' : 'ready'
  const hasProgram = !isScripted && !view.needsSetup
  const begin = (): void => {
    if (amount === 'invalid') return
    inBackground(start(amount === 'none' ? {} : { budget: { costUsd: amount } }))
  }
  return (
    <div className={styles.card}>
      <div className={styles.hero}>
        <KnownFace agents={view.agents} name={LEAD_NAME} expression="asleep" size="large" />
        <div>
          <h3>{WORDS.start.heading}</h3>
          <p>{WORDS.start.what}</p>
        </div>
      </div>
      <Facts team={team} />
      {isScripted && <p className={styles.soft}>{WORDS.start.install}</p>}
      {hasProgram && (
        <div className={styles.budget}>
          <TextField
            id="start-budget"
            label={WORDS.usage.budget}
            hint={WORDS.start.budgetHint}
            kind="decimal"
            sign="$"
            value={budget}
            onChange={setBudget}
            {...(amount === 'invalid' && { error: WORDS.usage.badBudget })}
          />
        </div>
      )}
      <ButtonRow>
        {hasProgram && (
          <Button readiness={readiness} onClick={begin}>
            {WORDS.session.start}
          </Button>
        )}
        <Button
          look={hasProgram ? 'quiet' : 'primary'}
          readiness={readiness}
          onClick={() => inBackground(start({ demoMode: true }))}
        >
          {WORDS.session.demonstration}
        </Button>
      </ButtonRow>
      <p className={styles.soft}>{WORDS.start.demonstration}</p>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

/** What the team is played by, and what it may do. */
function Facts({ team }: { readonly team: LiveTeam }) {
  const { isScripted, folder } = team
  const { needsSetup } = team.view
  return (
    <dl className={styles.facts}>
      <Fact
        icon={isScripted ? CircleAlert : CircleCheck}
        name={WORDS.start.program}
        text={isScripted ? WORDS.start.scripted : WORDS.start.installed}
      />
      {!isScripted && (
        <Fact
          icon={needsSetup ? CircleAlert : CircleCheck}
          name={WORDS.start.signedIn}
          text={needsSetup ? WORDS.start.needsKey : signedIn(team)}
        />
      )}
      {folder !== '' && <Fact icon={Folder} name={WORDS.start.folder} text={folder} />}
      <Fact icon={Hand} name={WORDS.start.commands} text={WORDS.start.asks} />
    </dl>
  )
}

function signedIn({ view: { auth } }: LiveTeam): string {
  const words = WORDS.session.signedIn[auth?.authMethod ?? 'oauth']
  const minutes = auth?.expiresInMinutes ?? null
  return minutes === null ? words : `${words}, ${WORDS.session.left(duration(minutes * 60_000))}`
}

interface FactProps {
  readonly icon: IconNode
  readonly name: string
  readonly text: string
}

function Fact({ icon, name, text }: FactProps) {
  return (
    <div>
      <dt>
        <Icon shape={icon} /> {name}
      </dt>
      <dd>{text}</dd>
    </div>
  )
}
