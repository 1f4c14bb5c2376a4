import type { RunTree } from 'throughline/activity'
import { latestRun } from 'throughline/activity'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from '../../kit/index.ts'
import { DepthFilter } from './depth-filter.tsx'
import type { RunsView } from './runs-view.ts'
import styles from './thread.module.css'
import type { FollowedRuns } from './use-runs.ts'
import { WORDS } from './words.ts'

export interface ThreadHeaderProps {
  readonly entry: PageEntry
  readonly live: ThreadSnapshot<RunsView>
  readonly phase: FollowedRuns['phase']
  readonly depthMax: number
  readonly onDepth: (depthMax: number) => void
}

export function ThreadHeader(props: ThreadHeaderProps) {
  const { entry, live, phase, depthMax, onDepth } = props
  const { tree } = live.view
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        <h1>{WORDS.title}</h1>
        <p className={styles.id}>{WORDS.thread(entry.thread)}</p>
        <p className={styles.now} role="status">
          {nowIn(tree)}
        </p>
        <p className={styles.note}>{phase === 'absent' ? WORDS.tail.new : tailOf(live)}</p>
      </div>
      <DepthFilter deepest={tree.depthMax} depthMax={depthMax} onChange={onDepth} />
    </header>
  )
}

function nowIn(tree: RunTree): string {
  const run = latestRun(tree)
  if (run?.state.status === 'working') return WORDS.now.working(run.agent)
  return run?.state.status === 'waiting' ? WORDS.now.waiting : WORDS.now.idle
}

function tailOf({ status }: ThreadHeaderProps['live']): string {
  return status === 'live' ? WORDS.tail.live : WORDS.tail.paused
}
