import { memo } from 'react'
import type { RunItem, RunNode } from 'throughline/client'
import { itemsAtDepth } from 'throughline/client'
import { ActorMark } from '../../kit/index.ts'
import { Answered } from './answered.tsx'
import { Elapsed } from './elapsed.tsx'
import { Note } from './note.tsx'
import { Reasoning, SaidText } from './said-text.tsx'
import { ShowEarlier } from './show-earlier.tsx'
import { StatusMark } from './status-mark.tsx'
import { StopButton } from './stop-button.tsx'
import type { Stops } from './stop-button.tsx'
import styles from './run.module.css'
import { ToolDetails } from './tool-details.tsx'
import { useLatest } from './use-latest.ts'
import { WORDS } from './words.ts'

/** Items of one run that are drawn at first; earlier ones on request. */
export const ITEMS_SHOWN_MAX = 50

export interface RunCardProps {
  readonly stops: Stops
  readonly run: RunNode
  readonly depthMax: number
}

/** A run: its agent, its state and its items; the runs below it are at the calls that started them. */
export const RunCard = memo(function RunCard({ stops, run, depthMax }: RunCardProps) {
  const { visible, hidden, showEarlier } = useLatest(itemsAtDepth(run, depthMax), ITEMS_SHOWN_MAX)
  return (
    <article className={styles.run} data-focus-area aria-label={run.agent}>
      <RunHead stops={stops} run={run} depthMax={depthMax} />
      {run.depth > 0 && run.prompt !== '' && <p className={styles.asked}>{run.prompt}</p>}
      {hidden > 0 && <ShowEarlier label={WORDS.earlierItems(hidden)} onShow={showEarlier} />}
      {visible.map((item) => (
        <Item key={item.key} stops={stops} item={item} depthMax={depthMax} />
      ))}
      <Fault run={run} />
    </article>
  )
})

function RunHead({ stops, run, depthMax }: RunCardProps) {
  const { agent, depth, state } = run
  return (
    <header className={styles.head}>
      <ActorMark actor="model" />
      <h3 tabIndex={-1} data-focus-here>
        {agent}
      </h3>
      {depthMax > 0 && <span className={styles.depth}>{WORDS.depth(depth)}</span>}
      <StatusMark status={state.status} words={WORDS.status} />
      <Elapsed run={run} />
      {state.status === 'working' && (
        <StopButton stops={stops} run={run.run} label={WORDS.stop.stop} name={agent} />
      )}
    </header>
  )
}

interface ItemProps {
  readonly stops: Stops
  readonly item: RunItem
  readonly depthMax: number
}

const Item = memo(function Item({ stops, item, depthMax }: ItemProps) {
  switch (item.kind) {
    case 'text':
      return <SaidText item={item} />
    case 'reasoning':
      return <Reasoning item={item} />
    case 'tool':
      return (
        <div className={styles.tool}>
          <ToolDetails tool={item} />
          {item.runs.map(
            (run) =>
              run.depth <= depthMax && (
                <div key={run.key} className={styles.below}>
                  <RunCard stops={stops} run={run} depthMax={depthMax} />
                </div>
              ),
          )}
        </div>
      )
    case 'answered':
      return <Answered item={item} />
    case 'failed_attempt':
    case 'handoff':
    case 'event':
    case 'refused':
    case 'history_reset':
      return <Note item={item} />
  }
})

function Fault({ run: { state } }: { readonly run: RunNode }) {
  if (state.status !== 'failed' && state.status !== 'stopped') return null
  if (!state.error) return null
  const { code, message } = state.error
  return <p className={`${styles.fault} ${styles[state.status]}`}>{WORDS.fault(code, message)}</p>
}
