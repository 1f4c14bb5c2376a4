import { memo, useMemo } from 'react'
import type { RunNode, TurnNode } from 'throughline/client'
import type { LiveAgentThread } from 'throughline/react'
import { ActorMark, time } from '../../kit/index.ts'
import { PromptFiles } from './prompt-files.tsx'
import { RunCard } from './run-card.tsx'
import { ShowEarlier } from './show-earlier.tsx'
import type { Stops } from './stop-button.tsx'
import styles from './thread.module.css'
import { Trace } from './trace.tsx'
import runStyles from './run.module.css'
import { useLatest } from './use-latest.ts'
import { WORDS } from './words.ts'

/** Turns that are drawn before a person asks for earlier ones. */
export const TURNS_SHOWN_MAX = 20

export interface TurnListProps {
  readonly thread: LiveAgentThread
  readonly depthMax: number
  readonly onDepth: (depthMax: number) => void
}

export function TurnList({ thread, depthMax, onDepth }: TurnListProps) {
  const { tree, pending, cancel } = thread
  // The same object while it is the same, so that the runs of other turns are not drawn again.
  const stops = useMemo(() => ({ pending, cancel }), [pending, cancel])
  const { visible, hidden, showEarlier } = useLatest(tree.turns, TURNS_SHOWN_MAX)
  return (
    <section className={styles.turns} aria-label={WORDS.turns} data-focus-area>
      {hidden > 0 && (
        <div className={styles.earlier}>
          <span>{WORDS.turnsHidden(hidden)}</span>
          <ShowEarlier
            label={WORDS.earlierTurns(Math.min(hidden, TURNS_SHOWN_MAX))}
            onShow={showEarlier}
          />
        </div>
      )}
      {visible.map((turn, at) => (
        <Turn
          key={turn.key}
          stops={stops}
          turn={turn}
          number={hidden + at + 1}
          depthMax={depthMax}
          onDepth={onDepth}
        />
      ))}
    </section>
  )
}

interface TurnProps {
  readonly stops: Stops
  readonly turn: TurnNode
  readonly number: number
  readonly depthMax: number
  readonly onDepth: (depthMax: number) => void
}

const Turn = memo(function Turn({ stops, turn, number, depthMax, onDepth }: TurnProps) {
  const [first] = turn.runs
  return (
    <section className={styles.turn}>
      <header className={styles.turnHead}>
        <h2 className={styles.turnNumber} tabIndex={-1} data-focus-here>
          {WORDS.turn(number)}
        </h2>
        <time className={runStyles.note} dateTime={new Date(turn.ts).toISOString()}>
          {time(turn.ts)}
        </time>
      </header>
      {first && (first.prompt !== '' || first.files) && (
        <PromptText agent={first.agent} text={first.prompt} files={first.files} />
      )}
      {turn.runs.map((run) => (
        <RunCard key={run.key} stops={stops} run={run} depthMax={depthMax} />
      ))}
      {depthMax === 0 && <Trace turn={turn} onShowAll={() => onDepth(Number.POSITIVE_INFINITY)} />}
    </section>
  )
})

/** A person's message. */
export function PromptText({
  agent,
  text,
  files,
}: {
  readonly agent: string
  readonly text: string
  readonly files?: RunNode['files'] | undefined
}) {
  return (
    <div className={runStyles.prompt}>
      <p className={runStyles.line}>
        <ActorMark actor="person" />
        {WORDS.asked(agent)}
      </p>
      {text !== '' && <p className={runStyles.text}>{text}</p>}
      <PromptFiles files={files} />
    </div>
  )
}
