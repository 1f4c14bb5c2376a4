import { membersOf } from '../json/index.ts'
import type { CallerEvent } from './caller-event.ts'
import type { RunItem, RunNode, RunStatus, SaidItem, ToolItem } from './run-node.ts'
import { changedBy, isSaid, newRun } from './run-node.ts'

/** One request of a person: the run at depth 0, and the runs that it was handed over to. */
export interface TurnNode {
  /** As on the events of its latest run. */
  readonly turn: string
  /** Every id that it has had, oldest first: a turn that goes on after an answer has another one. */
  readonly ids: readonly string[]
  readonly key: string
  readonly ts: number
  readonly runs: readonly RunNode[]
}

/** A thread's runs as a tree, oldest turn first. */
export interface RunTree {
  readonly turns: readonly TurnNode[]
  /** The depth of the deepest run so far. */
  readonly depthMax: number
}

/** The run tree of a thread without records, with which its fold begins. */
export const EMPTY_RUN_TREE: RunTree = { turns: [], depthMax: 0 }

/**
 * Folds what a caller of agents sees into the tree of their runs. Pure; what an event does not change
 * stays the same object. Deeper events may have been left out: their callers' tool calls remain.
 */
export function foldRunTree(tree: RunTree, events: Iterable<CallerEvent>): RunTree {
  for (const event of events) tree = foldOne(tree, event)
  return tree
}

/** The run at depth 0 that works now; else the one that waits for an answer; else the last one. */
export function latestRun({ turns }: RunTree): RunNode | undefined {
  const last = turns.flatMap(({ runs }) => runs.slice(-1)).toReversed()
  const inStatus = (of: RunStatus) => last.find(({ state }) => state.status === of)
  return inStatus('working') ?? inStatus('waiting') ?? last[0]
}

/** The run that has this id now, at any depth. */
export function findRun({ turns }: RunTree, id: string): RunNode | undefined {
  for (const { runs } of turns.toReversed()) {
    const found = findIn(runs, id)
    if (found) return found
  }
  return undefined
}

function findIn(runs: readonly RunNode[], id: string): RunNode | undefined {
  for (const node of runs.toReversed()) {
    if (node.run === id) return node
    const below = node.items.flatMap((item) => (item.kind === 'tool' ? item.runs : []))
    const found = findIn(below, id)
    if (found) return found
  }
  return undefined
}

/** Returns the items of a run at a level of detail: at 0 only its agent's texts. */
export function itemsAtDepth({ items }: RunNode, depthMax: number): readonly RunItem[] {
  return depthMax > 0 ? items : items.filter(({ kind }) => kind === 'text')
}

/** The messages of a turn that are whole, down to a depth, in the order of the tree. */
export function completeTexts(
  { runs }: Pick<TurnNode, 'runs'>,
  depthMax: number,
): readonly (SaidItem & { readonly agent: string })[] {
  return runs
    .filter(({ depth }) => depth <= depthMax)
    .flatMap(({ agent, items }) =>
      items.flatMap((item) => {
        if (item.kind === 'tool') return completeTexts(item, depthMax)
        const whole = isSaid(item) && item.kind === 'text' && item.status === 'complete'
        return whole ? [{ ...item, agent }] : []
      }),
    )
}

function foldOne(tree: RunTree, event: CallerEvent): RunTree {
  const depthMax = Math.max(tree.depthMax, event.depth)
  return { turns: turnsWith(tree.turns, event), depthMax }
}

function turnsWith(turns: readonly TurnNode[], event: CallerEvent): readonly TurnNode[] {
  const { run, turn, ts } = event
  const latest = turns.at(-1)
  if (run === '') {
    if (!latest) return turns
    // Entries between runs follow the run before them.
    const followed = withLastRun(latest, (last) => changedBy(last, event))
    return turns.with(-1, followed)
  }
  const waited = resumedBy(turns, event)
  const resumed = turns[waited]
  if (resumed) {
    const goesOn = withLastRun(resumed, (last) => ({ ...changedBy(last, event), run }))
    return turns.with(waited, { ...goesOn, turn, ids: [...goesOn.ids, turn] })
  }
  const at = turns.findLastIndex((each) => each.turn === turn)
  const known = turns[at]
  return known
    ? turns.with(at, { ...known, runs: runsWith(known.runs, event) })
    : [...turns, { turn, ids: [turn], key: turn, ts, runs: [newRun(event)] }]
}

function withLastRun(turn: TurnNode, change: (run: RunNode) => RunNode): TurnNode {
  const last = turn.runs.length - 1
  return { ...turn, runs: turn.runs.map((run, at) => (at === last ? change(run) : run)) }
}

/** The index of the turn that waited and goes on with the run, of a new id, that an event begins. */
function resumedBy(turns: readonly TurnNode[], event: CallerEvent): number {
  // First, as a long thread has many turns and nearly every event is another.
  if (event.type !== 'resume_with_input' || event.depth > 0) return -1
  const answers = membersOf(event.values)
  return turns.findLastIndex(({ runs }) => {
    const { state } = runs.at(-1) ?? {}
    return state?.status === 'waiting' && state.waits.some(({ id }) => Object.hasOwn(answers, id))
  })
}

function runsWith(runs: readonly RunNode[], event: CallerEvent): readonly RunNode[] {
  const changed = changeRun(runs, event)
  if (changed) return changed
  const run = newRun(event)
  return (event.depth > 0 ? placed(runs, run) : undefined) ?? [...runs, run]
}

/** Changes the run that an event is of, or gives nothing when it is not there. */
function changeRun(runs: readonly RunNode[], event: CallerEvent): readonly RunNode[] | undefined {
  return changeLatest(runs, (node) => {
    if (node.run === event.run) return changedBy(node, event)
    return changeBelow(node, (below) => changeRun(below, event))
  })
}

/** Puts a run where it was called; one that was handed over to, beside the one that did. */
function placed(runs: readonly RunNode[], run: RunNode): readonly RunNode[] | undefined {
  const isCause = ({ items }: RunNode): boolean => items.some(({ key }) => key === run.call)
  if (runs.some((each) => each.depth >= run.depth && isCause(each))) return [...runs, run]
  return changeLatest(runs, (node) =>
    changeBelow(node, (below, { key }) =>
      key === run.call ? [...below, run] : placed(below, run),
    ),
  )
}

function changeBelow(
  node: RunNode,
  change: (runs: readonly RunNode[], tool: ToolItem) => readonly RunNode[] | undefined,
): RunNode | undefined {
  const items = changeLatest(node.items, (item) => {
    const runs = item.kind === 'tool' ? change(item.runs, item) : undefined
    return item.kind === 'tool' && runs ? { ...item, runs } : undefined
  })
  return items && { ...node, items }
}

/** Changes the latest entry that there is a change for: most changes are of the last one. */
function changeLatest<Entry>(
  entries: readonly Entry[],
  change: (entry: Entry) => Entry | undefined,
): readonly Entry[] | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]
    const changed = entry === undefined ? undefined : change(entry)
    if (changed !== undefined) return entries.with(at, changed)
  }
  return undefined
}
