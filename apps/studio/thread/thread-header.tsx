import type { RunTree } from 'throughline/client'
import { latestRun } from 'throughline/client'
import type { LiveAgentThread } from 'throughline/react'
import { Brand, CommandPalette } from '../../kit/index.ts'
import { DepthFilter } from './depth-filter.tsx'
import { threadCommands } from './thread-commands.ts'
import type { CommandedThread } from './thread-commands.ts'
import styles from './thread.module.css'
import runStyles from './run.module.css'
import { WORDS } from './words.ts'

export interface ThreadHeaderProps extends CommandedThread {
  readonly depthMax: number
  readonly onDepth: (depthMax: number) => void
}

export function ThreadHeader(props: ThreadHeaderProps) {
  const { id, thread, places, depthMax, onDepth } = props
  const { tree, phase } = thread
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        <Brand name="Throughline" href="/" />
        <h1>{WORDS.title}</h1>
        <p className={styles.id}>{WORDS.thread(id)}</p>
        <p className={styles.now} role="status">
          {nowIn(tree)}
        </p>
        <p className={runStyles.note}>{phase === 'absent' ? WORDS.tail.new : tailOf(thread)}</p>
      </div>
      <DepthFilter deepest={tree.depthMax} depthMax={depthMax} onChange={onDepth} />
      <CommandPalette commands={() => threadCommands({ id, thread, places })} />
    </header>
  )
}

function nowIn(tree: RunTree): string {
  const run = latestRun(tree)
  if (run?.state.status === 'working') return WORDS.now.working(run.agent)
  return run?.state.status === 'waiting' ? WORDS.now.waiting : WORDS.now.idle
}

function tailOf({ status }: LiveAgentThread): string {
  return status === 'live' ? WORDS.tail.live : WORDS.tail.paused
}
