import { useState } from 'react'
import type { LogRecord, TurnNode } from 'throughline/client'
import { useAgentThread } from 'throughline/react'
import type { PageEntry } from '../../kit/index.ts'
import { API, Button, SelectField, clockTime, dateTime } from '../../kit/index.ts'
import { UsageTable } from './usage-table.tsx'
import styles from './runs.module.css'
import view from '../view.module.css'
import { downloadRows } from './rows-as-csv.ts'
import { RunTable } from './run-table.tsx'
import { TurnFigures } from './turn-figures.tsx'
import { waitsOf } from './turn-waits.ts'
import { RUNS_WORDS } from './runs-words.ts'

export interface RunsViewProps {
  readonly entry: PageEntry
  /** The records that the page holds. */
  readonly records: readonly LogRecord[]
  readonly onSelect: (seq: number) => void
}

/** What ran in a turn, for how long, and what it cost. */
export function RunsView({ entry, records, onSelect }: RunsViewProps) {
  const { tree, usage, phase } = useAgentThread({
    thread: entry.thread,
    base: API,
    role: entry.role,
  })
  const [chosen, choose] = useState<string>()
  const turn = tree.turns.find(({ key }) => key === chosen) ?? tree.turns.at(-1)
  if (!turn) {
    const words = phase === 'opened' ? RUNS_WORDS.none : RUNS_WORDS.opening
    return (
      <main className={view.page}>
        <p role="status">{words}</p>
      </main>
    )
  }
  return (
    <main className={view.page}>
      <header className={styles.head}>
        <div>
          <h2>{RUNS_WORDS.title}</h2>
          <p className={styles.meta}>{RUNS_WORDS.about}</p>
        </div>
        <SelectField
          id="turn"
          label={RUNS_WORDS.turn}
          unset="never"
          value={turn.key}
          options={tree.turns.map((each, at) => ({ value: each.key, label: nameOf(each, at) }))}
          onChange={choose}
        />
        <Button look="quiet" onClick={() => downloadRows(turn)}>
          {RUNS_WORDS.csv}
        </Button>
      </header>
      <TurnFigures turn={turn} waits={waitsOf(turn, records)} />
      <RunTable turn={turn} records={records} onSelect={onSelect} />
      <section className={styles.card}>
        <h3 className={styles.caption} id="all-usage">
          {RUNS_WORDS.usage}
        </h3>
        <UsageTable usage={usage} describedBy="all-usage" />
      </section>
    </main>
  )
}

function nameOf({ ts, runs }: TurnNode, at: number): string {
  const isOld = new Date(ts).toDateString() !== new Date().toDateString()
  const when = isOld ? dateTime(ts) : clockTime(ts)
  return RUNS_WORDS.turnOf(at + 1, runs[0]?.agent ?? '', when)
}
