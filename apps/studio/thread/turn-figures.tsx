import type { RunItem, RunNode, TurnNode } from 'throughline/client'
import { amount, duration, number } from '../../kit/index.ts'
import type { Wait } from './folded-time.ts'
import styles from './runs.module.css'
import { RUNS_WORDS } from './runs-words.ts'

export interface TurnFiguresProps {
  readonly turn: TurnNode
  readonly waits: readonly Wait[]
}

/** The sums of a turn. A cost without prices, and tokens that no provider reported, are not shown as zero. */
export function TurnFigures({ turn, waits }: TurnFiguresProps) {
  const runs = runsIn(turn.runs)
  const ends = runs.map(({ endedAt }) => endedAt ?? 0)
  const isOver = ends.every((end) => end > 0)
  const isWaiting = runs.some(({ state }) => state.status === 'waiting')
  const open = isWaiting ? RUNS_WORDS.waiting : RUNS_WORDS.working
  const wholeMs = Math.max(...ends) - turn.ts
  const waitedMs = waits.reduce((sum, { from, to }) => sum + to - from, 0)
  const tokens = sum(runs, ({ usage: { inputTokens, outputTokens } }) =>
    inputTokens === undefined && outputTokens === undefined
      ? undefined
      : (inputTokens ?? 0) + (outputTokens ?? 0),
  )
  const cost = sum(runs, ({ usage }) => usage.cost)
  const refused = runs.flatMap(({ items }) => items).filter(({ kind }) => kind === 'refused').length
  const figures = [
    [isOver ? duration(wholeMs) : open, RUNS_WORDS.figures.whole],
    [duration(waitedMs), RUNS_WORDS.figures.waited],
    [tokens === undefined ? RUNS_WORDS.unknown : number(tokens), RUNS_WORDS.figures.tokens],
    [cost === undefined ? RUNS_WORDS.unknown : amount(cost), RUNS_WORDS.figures.cost],
    [number(refused), RUNS_WORDS.figures.refused],
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([value, name]) => (
        <div key={name} data-refused={name === RUNS_WORDS.figures.refused && refused > 0}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function sum(
  runs: readonly RunNode[],
  of: (run: RunNode) => number | undefined,
): number | undefined {
  const known = runs.map(of).filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}

/** The runs and all below them. */
function runsIn(runs: readonly RunNode[]): readonly RunNode[] {
  const below = (item: RunItem) => (item.kind === 'tool' ? runsIn(item.runs) : [])
  return runs.flatMap((run) => [run, ...run.items.flatMap(below)])
}
