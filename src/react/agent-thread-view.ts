import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { CallerView, EMPTY_RUN_TREE, NO_USAGE_REPORT } from '../activity/index.ts'
import { foldRunTree, foldUsage } from '../activity/index.ts'
import type { RunTree, UsageReport, OpenApproval, WaitingTurn } from '../activity/index.ts'
import type { ViewBuilder } from './view.ts'

/** The view of a thread of agents, as far as the stream has come. */
export interface AgentThread {
  readonly tree: RunTree
  /** The usage of all model calls of the thread, including those of runs that the view leaves out. */
  readonly usage: UsageReport
  /** The turns that wait for an answer. All `waits` of one are answered together, under its `run`. */
  readonly questions: readonly WaitingTurn[]
  /** The calls that wait for another role; their turns have gone on. */
  readonly approvals: readonly OpenApproval[]
  /** `restored`: the stream began again without its earlier records. */
  readonly origin: 'log' | 'restored'
}

const EMPTY: AgentThread = {
  tree: EMPTY_RUN_TREE,
  usage: NO_USAGE_REPORT,
  questions: [],
  approvals: [],
  origin: 'log',
}

/**
 * Folds the records of a thread of agents. What a record does not change stays the same object, so
 * that a component may compare a run with the one that it has drawn.
 */
export class AgentThreadView implements ViewBuilder<AgentThread> {
  readonly #depthMax: number
  #caller = new CallerView()
  #view = EMPTY

  /** Runs deeper than `depthMax` are left out. */
  constructor(depthMax = Number.POSITIVE_INFINITY) {
    this.#depthMax = depthMax
  }

  take(record: LogRecord): void {
    const { tree, usage, questions, approvals } = this.#view
    const events = this.#caller.take(record).filter(({ depth }) => depth <= this.#depthMax)
    const next = {
      tree: foldRunTree(tree, events),
      usage: foldUsage(usage, [record]),
      questions: this.#caller.waiting,
      approvals: this.#caller.approvals,
    }
    const isSame = next.tree === tree && next.usage === usage
    if (isSame && next.questions === questions && next.approvals === approvals) return
    this.#view = { ...this.#view, ...next }
  }

  reset(_state: Json, seq: number): void {
    this.#caller = new CallerView()
    this.#view = seq < 0 ? EMPTY : { ...EMPTY, origin: 'restored' }
  }

  view(): AgentThread {
    return this.#view
  }
}
